// One compared number and the error that is allowed for it.
#pragma once
#include <cmath>
#include <string>

namespace popgrad {

// Parts of an error bound; each is computed by whoever measured, none is tuned.
struct Budget {
  double roundoff = 0;
  double truncation = 0;
  double sampling = 0;  // already widened to the family-wise level
  double total() const { return roundoff + truncation + sampling; }
};

struct Entry {
  std::string name;        // "(U,E) diag", "row 3, column 2"
  double predicted = 0;
  double measured = 0;
  double difference = 0;   // measured - predicted; formed exactly when both are rational
  Budget budget;
  bool signal = false;     // counts for the smallest effect that matters
  std::string exact;       // the measured value as a rational, if it is one
  // |difference| / budget; infinite where the budget is 0 and the difference is not, or where anything is NaN
  double ratio() const;
};

Entry entry(std::string name, double predicted, double measured, const Budget& budget, bool signal = false);

// u = 2^-53; |computed - exact| <= roundoff_bound(n, sum |t_i|) for a sum of n terms in any order, each within one rounding
// of its exact value: gamma_n = n u / (1 - n u). Throws HypothesisError if n u >= 1/2.
double roundoff_bound(double terms, double sum_of_magnitudes);

}  // namespace popgrad
