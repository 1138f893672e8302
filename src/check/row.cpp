#include "check/row.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* raise_work = "raise verify.work";

std::string number(double x) { return fmt::format("{:.6g}", x); }

// Samples needed, in units of those taken, for the budget to come down to `goal`: its sampling part falls as their root. A rough
// estimate: a quantile for few samples falls faster, and a truncation read off the measurement may fall too.
double samples_needed(const Budget& budget, double goal) {
  const double room = goal - budget.roundoff - budget.truncation;
  return room > 0 ? std::pow(budget.sampling / room, 2) : infinity;
}

// Every entry has to get a budget within the effect.
double work_for_effect(const std::vector<Entry>& entries, double effect) {
  double most = 0;
  for (const Entry& e : entries)
    if (e.budget.total() > effect) most = std::max(most, samples_needed(e.budget, effect));
  return most;
}

// One entry has to get a budget within its difference.
double work_for_control(const std::vector<Entry>& entries) {
  double least = infinity;
  for (const Entry& e : entries) least = std::min(least, samples_needed(e.budget, std::abs(e.difference)));
  return least;
}

// What a control is compared at. One that is outside the budget where its change does not reach is not the control it says it is.
std::vector<Entry> concerned(const Control& control, bool claim_refuted) {
  const std::vector<Entry> all = control.entries();
  std::vector<Entry> inside;
  for (const Entry& e : all) {
    // A prediction that is refuted because it is not a number would show nothing about the check.
    require(std::isfinite(e.predicted), "judge", ("control '" + control.name + "'").c_str(), "a finite prediction", e.name);
    if (!control.concerns || control.concerns(e.name))
      inside.push_back(e);
    else
      require(claim_refuted || e.ratio() <= 1, "judge", ("control '" + control.name + "'").c_str(),
              "no entry outside its budget but those it concerns", e.name);
  }
  return inside;
}

void advise(Row& row, const std::string& more, const std::string& otherwise, double factor, const std::string& hopeless) {
  row.next = more.empty() ? otherwise : more;
  if (!row.next.ends_with(raise_work)) return;
  if (std::isfinite(factor))
    row.work_factor = factor;
  else
    row.next = "more work alone may not decide it: " + hopeless;
}

void explain(Row& row, const std::vector<Entry>& entries, const std::vector<double>& control_work, const std::string& more) {
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
    // The same work should let the controls be refuted, or the next run would stop there.
    double work = work_for_effect(entries, c.effect);
    for (std::size_t i = 0; i < row.controls.size(); ++i)
      if (!row.controls[i].refuted()) work = std::max(work, control_work[i]);
    advise(row, more, "make the measurement more precise", work,
           "roundoff and truncation alone reach the smallest effect that matters, or cover a control");
    return;
  }
  std::vector<double> surviving;
  for (std::size_t i = 0; i < row.controls.size(); ++i)
    if (!row.controls[i].refuted()) surviving.push_back(control_work[i]);
  for (const ControlOutcome& control : row.controls) {
    if (control.refuted()) continue;
    row.verdict = Verdict::undecided;
    row.reason = fmt::format("negative control '{}' ({}) was not refuted: the check cannot tell it from the claim", control.name,
                             control.changes);
    const std::string other = "choose a configuration at which this control differs";
    advise(row, more, other, *std::ranges::max_element(surviving), "roundoff and truncation alone cover the difference; " + other);
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
  std::vector<double> control_work;
  for (const Control& control : controls) {
    const std::vector<Entry> wrong = concerned(control, row.comparison.verdict == Verdict::refuted);
    row.controls.push_back({control.name, control.changes, compare(wrong, effect)});
    control_work.push_back(work_for_control(wrong));
  }
  explain(row, entries, control_work, more);
  return row;
}

void advise_work(Row& row, double work) {
  if (row.work_factor == 0) return;
  const double wanted = 1.1 * work * row.work_factor, unit = std::pow(10, std::floor(std::log10(wanted)) - 1);
  row.next += " to roughly " + number(std::ceil(wanted / unit) * unit);
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
