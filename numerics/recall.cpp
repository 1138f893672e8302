#include "numerics/recall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace popgrad {

BoundedProduct& BoundedProduct::times(const Matrix& factor) {
  terms += static_cast<double>(factor.rows());
  value = (value * factor).eval();
  magnitude = (magnitude * factor.cwiseAbs()).eval();
  return *this;
}

Matrix BoundedProduct::roundoff() const {
  const double nu = terms * std::numeric_limits<double>::epsilon() / 2;
  return nu / (1 - nu) * magnitude;
}

void RecallSums::add(const double* scores, const double* roundoff, int candidates, int target) {
  bool beaten = std::isnan(scores[target]);
  int tied = 1;
  double best_other = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < candidates; ++j) {
    if (j == target) continue;
    best_other = std::max(best_other, scores[j]);
    const double lead = scores[target] - scores[j];
    const double blur = roundoff[target] + roundoff[j];
    if (!(lead >= -blur)) beaten = true;
    if (std::abs(lead) <= blur) ++tied;
  }
  ++rows;
  chance += 1.0 / candidates;
  if (candidates > 1) margin += scores[target] - best_other;
  if (beaten) return;
  recall += 1.0 / tied;
  if (tied > 1) ++ties;
}

RecallSums& RecallSums::operator+=(const RecallSums& other) {
  recall += other.recall;
  chance += other.chance;
  margin += other.margin;
  ties += other.ties;
  rows += other.rows;
  return *this;
}

Probe RecallSums::finish() const {
  if (rows == 0) return {};
  return {recall / rows, chance / rows, margin / rows, ties, rows};
}

}  // namespace popgrad
