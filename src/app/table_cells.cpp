#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "app/table.hpp"

namespace popgrad {
namespace {

constexpr std::size_t longest_rational = 18;

std::string decimal(double x) { return fmt::format("{:.6g}", x); }

}  // namespace

// The prediction of an exact entry is stored as a double; where the difference is zero it is the measured rational.
std::string shown_predicted(const Entry& e) {
  return e.difference == 0 && !e.exact.empty() ? shown_measured(e) : decimal(e.predicted);
}

std::string shown_measured(const Entry& e) {
  return !e.exact.empty() && e.exact.size() <= longest_rational ? e.exact : decimal(e.measured);
}

std::string shown_budget(const Entry& e, Grade grade) {
  std::string parts;
  const auto add = [&](const char* letter, double part) {
    if (part != 0) parts += fmt::format("{}{} {:.2g}", parts.empty() ? "" : " + ", letter, part);
  };
  add("r", e.budget.roundoff);
  add("t", e.budget.truncation);
  add("s", e.budget.sampling);
  if (!parts.empty()) return parts;
  return grade == Grade::exact || !e.exact.empty() ? "0 (exact)" : "0";
}

TableCells cells(const Row& row) {
  TableCells c;
  c.claim = row.part.empty() ? row.claim : row.claim + " " + row.part;
  c.configuration = row.configuration;
  c.verdict = name(row.verdict);
  c.predicted = c.measured = c.budget = c.grade = c.controls = "-";
  c.time = fmt::format("{:.1f} s", row.seconds);
  if (!compared(row)) return c;
  const Entry& e = row.verdict == Verdict::refuted ? row.comparison.worst : row.comparison.headline;
  c.configuration += ": " + e.name;  // which of the compared entries the numbers are
  c.predicted = shown_predicted(e);
  c.measured = shown_measured(e);
  c.budget = shown_budget(e, row.grade);
  c.grade = name(row.grade);
  const auto refuted =
      std::count_if(row.controls.begin(), row.controls.end(), [](const ControlOutcome& o) { return o.refuted(); });
  c.controls = fmt::format("{}/{}", refuted, row.controls.size());
  return c;
}

std::string summary(const std::vector<Row>& rows) {
  std::set<std::string> claims;
  std::size_t counts[4] = {}, refuted = 0, controls = 0;
  double seconds = 0;
  for (const Row& row : rows) {
    claims.insert(row.claim);
    ++counts[static_cast<unsigned>(row.verdict)];
    seconds += row.seconds;
    controls += row.controls.size();
    for (const ControlOutcome& control : row.controls) refuted += control.refuted() ? 1U : 0U;
  }
  std::string text = fmt::format("{} claim{}, {} row{}:", claims.size(), claims.size() == 1 ? "" : "s", rows.size(),
                                 rows.size() == 1 ? "" : "s");
  const char* separator = " ";
  for (const Verdict verdict : {Verdict::verified, Verdict::refuted, Verdict::undecided, Verdict::not_applicable}) {
    const std::size_t count = counts[static_cast<unsigned>(verdict)];
    if (count == 0 && verdict != Verdict::verified) continue;
    text += fmt::format("{}{} {}", separator, count, name(verdict));
    separator = ", ";
  }
  return text + fmt::format("; {} of {} negative controls refuted; {:.1f} s\n", refuted, controls, seconds);
}

const char* table_legend() {
  return R"legend(The table has one line for each claim (and part of it) at one configuration:
  claim          its id, and the part of it where it has several (popgrad claims states them)
  configuration  sizes and switches at which it was checked
  predicted      by the closed form or theory; the entry named after the configuration: the one of
                 widest budget (of exact ones, the largest), or the worst one if refuted
  measured       by enumeration, differentiation or sampling, independently of the prediction
  error budget   allowed |measured - predicted|: r roundoff, t truncation, s sampling (widened to the family-wise --level
                 over all entries of the row); "0 (exact)" compares rationals. All numbers are pure numbers; losses are
                 in nats. results.json has every part and the worst entry.
  grade          exact (rationals), enumerated (every case, doubles with a bound), sampled (an estimate, its standard error)
  verdict        verified: inside the budget and every negative control refuted; refuted: outside it; undecided: the
                 budget is wider than the smallest effect that matters; not applicable: a hypothesis does not hold
  controls       negative controls (statements false in a known way) refuted by the same check, of all
  time           seconds
Exit code, the first that holds: 1 a row is refuted; 4 something differs from --baseline; 3 a row is undecided, or no row
is applicable; 0 all applicable rows are verified. 2: bad usage or input. 5: the environment failed (disk, permissions).)legend";
}

}  // namespace popgrad
