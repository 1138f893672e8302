// Counting recall: rows of scores, one right candidate each, with ties recognised up to roundoff.
#pragma once
#include "numerics/probes.hpp"

namespace popgrad {

// A matrix, the same product formed of absolute values, and the number of terms summed on the way:
// |computed - exact| <= gamma_terms * magnitude entrywise, gamma_n = n u / (1 - n u) (Higham, Accuracy and Stability, 3.5).
struct BoundedProduct {
  Matrix value;
  Matrix magnitude;
  double terms = 0;

  explicit BoundedProduct(const Matrix& exact) : value(exact), magnitude(exact.cwiseAbs()) {}
  BoundedProduct& times(const Matrix& factor);
  Matrix roundoff() const;
};

// Sums over rows; += merges, finish() divides.
struct RecallSums {
  double recall = 0, chance = 0, margin = 0;
  int ties = 0, rows = 0;

  // One row: the first `candidates` scores, each known up to `roundoff`; `target` < candidates is the right one.
  // A score that is not a number counts against the target.
  void add(const double* scores, const double* roundoff, int candidates, int target);
  RecallSums& operator+=(const RecallSums& other);
  Probe finish() const;
};

}  // namespace popgrad
