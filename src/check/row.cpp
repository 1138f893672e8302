#include "check/row.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {
namespace {

std::string number(double x) { return fmt::format("{:.6g}", x); }

void explain(Row& row, const std::string& more) {
  const Comparison& c = row.comparison;
  if (c.verdict == Verdict::refuted) {
    row.verdict = Verdict::refuted;
    row.reason = fmt::format("{} of {} entries outside the budget; worst: {}: predicted {}, measured {}, budget {}", c.outside,
                             c.entries, c.worst.name, number(c.worst.predicted), number(c.worst.measured),
                             number(c.worst.budget.total()));
    row.next = "look at the worst entry; if its hypotheses hold, the claim is false at this configuration";
    return;
  }
  if (c.verdict == Verdict::undecided) {
    row.verdict = Verdict::undecided;
    row.reason = fmt::format("the widest budget {} exceeds the smallest effect that matters, {}", number(c.widest), number(c.effect));
    row.next = more.empty() ? "make the measurement more precise" : more;
    return;
  }
  for (const ControlOutcome& control : row.controls) {
    if (control.refuted()) continue;
    row.verdict = Verdict::undecided;
    row.reason = fmt::format("negative control '{}' ({}) was not refuted: the check cannot tell it from the claim", control.name,
                             control.changes);
    row.next = more.empty() ? "choose a configuration at which this control differs" : more;
    return;
  }
  row.verdict = Verdict::verified;
  row.reason = fmt::format("{} entries within the budget, {} negative controls refuted", c.entries, row.controls.size());
}

}  // namespace

Row judge(std::string claim, std::string part, std::string configuration, Grade grade, const std::vector<Entry>& entries,
          double effect, const std::vector<Control>& controls, const std::string& more) {
  require(controls.size() >= 4, "judge", "controls", "at least four", std::to_string(controls.size()));
  Row row;
  row.claim = std::move(claim);
  row.part = std::move(part);
  row.configuration = std::move(configuration);
  row.grade = grade;
  row.comparison = compare(entries, effect);
  for (const Control& control : controls) {
    const std::vector<Entry> wrong = control.entries();
    // A prediction that is refuted because it is not a number would show nothing about the check.
    for (const Entry& e : wrong)
      require(std::isfinite(e.predicted), "judge", ("control '" + control.name + "'").c_str(), "a finite prediction", e.name);
    row.controls.push_back({control.name, control.changes, compare(wrong, effect)});
  }
  explain(row, more);
  return row;
}

Row not_applicable(std::string claim, std::string part, std::string configuration, const std::string& hypothesis) {
  Row row;
  row.claim = std::move(claim);
  row.part = std::move(part);
  row.configuration = std::move(configuration);
  row.verdict = Verdict::not_applicable;
  row.reason = "hypothesis does not hold: " + hypothesis;
  row.next = "choose a configuration in which it holds";
  return row;
}

Row undecided(std::string claim, std::string part, std::string configuration, const std::string& reason,
              const std::string& next) {
  Row row;
  row.claim = std::move(claim);
  row.part = std::move(part);
  row.configuration = std::move(configuration);
  row.verdict = Verdict::undecided;
  row.reason = reason;
  row.next = next;
  return row;
}

}  // namespace popgrad
