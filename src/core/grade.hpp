// The grade of evidence behind a number, and the verdict on a claim.
#pragma once
#include <string>

namespace popgrad {

enum class Grade { exact, certified, enumerated, sampled, observed };
enum class Verdict { verified, refuted, undecided, not_applicable };

const char* name(Grade grade);
const char* name(Verdict verdict);  // "not applicable" with a space
Grade parse_grade(const std::string& text);      // throws InputError
Verdict parse_verdict(const std::string& text);  // throws InputError

}  // namespace popgrad
