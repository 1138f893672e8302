#include "core/grade.hpp"

#include <array>

#include "core/errors.hpp"

namespace popgrad {
namespace {
constexpr std::array grades = {"exact", "certified", "enumerated", "sampled", "observed"};
constexpr std::array verdicts = {"verified", "refuted", "undecided", "not applicable"};
}  // namespace

const char* name(Grade grade) { return grades[static_cast<std::size_t>(grade)]; }
const char* name(Verdict verdict) { return verdicts[static_cast<std::size_t>(verdict)]; }

Grade parse_grade(const std::string& text) {
  for (std::size_t i = 0; i < grades.size(); ++i)
    if (text == grades[i]) return static_cast<Grade>(i);
  throw InputError("grade", "'" + text + "'", "exact, certified, enumerated, sampled or observed");
}

Verdict parse_verdict(const std::string& text) {
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (text == verdicts[i]) return static_cast<Verdict>(i);
  throw InputError("verdict", "'" + text + "'", "verified, refuted, undecided or not applicable");
}

}  // namespace popgrad
