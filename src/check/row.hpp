// One line of the verdict table: a claim (or a part of it) at one configuration.
#pragma once
#include <string>
#include <vector>

#include "check/compare.hpp"
#include "core/grade.hpp"

namespace popgrad {

// Numbers behind a figure, carried in results.json so that figures can be drawn again without recomputing.
struct Series {
  std::string figure;                        // "onestep_accuracy", "step1_memory"
  std::vector<std::string> columns;          // names with units
  std::vector<std::vector<double>> rows;
};

struct Row {
  std::string claim;          // "L2.onestep"
  std::string part;           // "variance"; empty if the claim has one part
  std::string configuration;  // "N=64 T=32 d=128"
  Grade grade = Grade::observed;
  Comparison comparison;
  std::vector<ControlOutcome> controls;
  Verdict verdict = Verdict::undecided;
  std::string reason;  // why this verdict, in words
  std::string next;    // what to do about it; empty when verified
  // Where `next` ends in "raise verify.work": by how much, for the sampling parts to shrink enough; 0: not known.
  double work_factor = 0;
  double seconds = 0;
  std::vector<Series> series;

  std::string key() const { return claim + "|" + part + "|" + configuration; }
};

// Judges `entries`, then every control by the same compare() and the same effect. Verified only if the entries are and every
// control is refuted; a control that survives makes the row undecided and is named. Needs at least four controls, with
// finite predictions.
// `more` says what would decide an undecided row ("raise samples to ..."). If that is "raise verify.work", work_factor is
// (sampling / (effect - roundoff - truncation))^2 of the entry that needs most; where the rest of a budget alone reaches the
// effect, `next` says that more work alone may not decide the row. A control that survives needs its difference in place of the
// effect, at one entry.
Row judge(std::string claim, std::string part, std::string configuration, Grade grade, const std::vector<Entry>& entries,
          double effect, const std::vector<Control>& controls, const std::string& more = "");

// Completes an advice to raise verify.work by the value to raise it to: work * row.work_factor and a tenth more, because the
// sampling part is itself estimated from samples, rounded up to two digits.
void advise_work(Row& row, double work);

// A row for a configuration in which a hypothesis does not hold.
Row not_applicable(std::string claim, std::string part, std::string configuration, const std::string& hypothesis);

// A row that could not be computed within its limits.
Row undecided(std::string claim, std::string part, std::string configuration, const std::string& reason,
              const std::string& next);

}  // namespace popgrad
