// verify --baseline: what changed since an earlier results.json.
#pragma once
#include <string>
#include <vector>

#include "app/results.hpp"

namespace popgrad {

struct Change {
  enum class Kind { missing, added, verdict, grade, prediction, value };
  Kind kind;
  std::string row;            // claim, part and configuration, as shown to the user
  std::string before, after;  // the values
};
const char* name(Change::Kind kind);  // "row missing", "row new", "verdict", "grade", "prediction", "value"

struct BaselineReport {
  std::vector<Change> changes;
  std::size_t compared = 0;  // rows in both
  std::size_t redrawn = 0;   // rows whose random instance differs because the seed does: judged by their differences only
  bool changed() const { return !changes.empty(); }
};

// Rows are matched by key(). Rows of the baseline whose claim is not among `claims` were not asked for and are ignored.
// Value: the headline entry's measured number moved by more than the two budgets together (exact rows: its rational
// differs). Prediction: the same for the predicted number. With another seed, an entry whose prediction is another one
// belongs to another random instance: then measured - predicted is compared instead, by the same budgets.
// InputError("--baseline", ...) if the two share no row.
BaselineReport compare_with_baseline(const Results& before, const Results& now, const std::vector<std::string>& claims,
                                     const std::string& baseline_file);

// The table of changes, and one line that sums up; ends with a newline.
std::string describe(const BaselineReport& report, const std::string& baseline_file);

}  // namespace popgrad
