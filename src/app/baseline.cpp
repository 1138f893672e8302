#include "app/baseline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/errors.hpp"

namespace popgrad {
namespace {

std::string number(double x) { return fmt::format("{:.9g}", x); }

std::string shown(const Entry& e, double value) {
  if (!e.exact.empty() && value == e.measured) return e.exact;
  return number(value) + " +- " + fmt::format("{:.2g}", e.budget.total());
}

// NaN equals NaN here: a value that was undefined and still is has not moved.
bool moved(double a, double b, double allowed) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  if (a == b) return false;
  return !(std::abs(a - b) <= allowed);
}

// A row as a reader knows it from the table.
std::string shown(const Row& row) {
  return row.claim + (row.part.empty() ? "" : " " + row.part) + (row.configuration.empty() ? "" : ": " + row.configuration);
}

// One entry of a row before and now: the same instance, or with another seed maybe another one.
void compare_entries(const std::string& row, const Entry& a, const Entry& b, bool same_seed, BaselineReport& report) {
  const double allowed = a.budget.total() + b.budget.total();
  const bool other_instance = a.name != b.name || moved(a.predicted, b.predicted, allowed);
  if (other_instance && !same_seed) {
    ++report.redrawn;
    if (moved(a.difference, b.difference, allowed))
      report.changes.push_back({Change::Kind::value, row, "difference " + number(a.difference), "difference " + number(b.difference)});
    return;
  }
  if (other_instance)
    report.changes.push_back({Change::Kind::prediction, row, a.name + " = " + number(a.predicted), b.name + " = " + number(b.predicted)});
  const bool both_exact = !a.exact.empty() && !b.exact.empty();
  if (both_exact ? a.exact != b.exact : moved(a.measured, b.measured, allowed))
    report.changes.push_back({Change::Kind::value, row, shown(a, a.measured), shown(b, b.measured)});
}

void compare_values(const Row& before, const Row& now, bool same_seed, BaselineReport& report) {
  if (compared(before) != compared(now)) {
    report.changes.push_back({Change::Kind::value, shown(now), compared(before) ? "computed" : "not computed",
                              compared(now) ? "computed" : "not computed"});
    return;
  }
  if (!compared(now)) return;
  const Comparison &a = before.comparison, &b = now.comparison;
  compare_entries(shown(now), a.headline, b.headline, same_seed, report);
  // Which entry is worst may change with the last bits; where it is the same one, it is compared too.
  if (a.worst.name == b.worst.name && a.worst.name != a.headline.name && (same_seed || !moved(a.worst.predicted, b.worst.predicted, 0)))
    compare_entries(shown(now) + ": worst entry " + b.worst.name, a.worst, b.worst, same_seed, report);
}

}  // namespace

const char* name(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::missing:
      return "row missing";
    case Change::Kind::added:
      return "row new";
    case Change::Kind::verdict:
      return "verdict";
    case Change::Kind::grade:
      return "grade";
    case Change::Kind::prediction:
      return "prediction";
    case Change::Kind::value:
      return "value";
  }
  return "";
}

BaselineReport compare_with_baseline(const Results& before, const Results& now, const std::vector<std::string>& claims,
                                     const std::string& baseline_file) {
  std::map<std::string, const Row*> current;
  for (const Row& row : now.rows) current[row.key()] = &row;
  std::map<std::string, const Row*> known;
  BaselineReport report;
  for (const Row& row : before.rows) {
    if (std::find(claims.begin(), claims.end(), row.claim) == claims.end()) continue;
    known[row.key()] = &row;
    if (current.count(row.key()) == 0) report.changes.push_back({Change::Kind::missing, shown(row), name(row.verdict), "-"});
  }
  for (const Row& row : now.rows) {
    const auto found = known.find(row.key());
    if (found == known.end()) {
      report.changes.push_back({Change::Kind::added, shown(row), "-", name(row.verdict)});
      continue;
    }
    ++report.compared;
    const Row& old = *found->second;
    if (old.verdict != row.verdict)
      report.changes.push_back({Change::Kind::verdict, shown(row), name(old.verdict), name(row.verdict)});
    if (old.grade != row.grade) report.changes.push_back({Change::Kind::grade, shown(row), name(old.grade), name(row.grade)});
    compare_values(old, row, before.seed == now.seed, report);
  }
  if (report.compared == 0)
    throw InputError("--baseline", "'" + baseline_file + "' (no row in common with this run)",
                     "the results.json of a run of the same claims and configurations");
  return report;
}

std::string describe(const BaselineReport& report, const std::string& baseline_file) {
  std::string text;
  std::size_t row_width = 3, before_width = 6;
  for (const Change& c : report.changes) {
    row_width = std::max(row_width, c.row.size());
    before_width = std::max(before_width, c.before.size());
  }
  if (report.changed())
    text += fmt::format("{:<11}  {:<{}}  {:<{}}  {}\n", "changed", "row", row_width, "before", before_width, "now");
  for (const Change& c : report.changes)
    text += fmt::format("{:<11}  {:<{}}  {:<{}}  {}\n", name(c.kind), c.row, row_width, c.before, before_width, c.after);
  text += fmt::format("baseline {}: {} rows compared, {} changes", baseline_file, report.compared, report.changes.size());
  if (report.redrawn > 0)
    text += fmt::format(
        "; in {} of them another seed draws another instance, so the difference from the prediction was compared",
        report.redrawn);
  return text + "\n";
}

}  // namespace popgrad
