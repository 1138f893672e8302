// Softmax, its backward pass and the cross-entropy with a bound on another evaluation.
#pragma once
#include <utility>
#include <vector>

#include "tests/oracle/bounded_matrix.hpp"

namespace popgrad::oracle {

// Softmax of the first prefix[i] entries of each row, zero after them, as stored numbers. The other evaluation may subtract
// any shift between the scores and rescale a few times; its exp is within 16 u of the exact one plus what rounding the
// shifted score does to it, and may flush a result below 2^-100 to zero.
BoundedMatrix softmax(const BoundedMatrix& scores, const std::vector<int>& prefix, double u);

// d_s = a_s (c_s - sum_r a_r c_r), stored. `size` also pays for sums over d in which the bracket is multiplied out.
BoundedMatrix softmax_backward(const BoundedMatrix& a, const BoundedMatrix& c, double u);

// One row of logits: loss in nats and its error, and p - e_label with its error.
struct CrossEntropy {
  double loss = 0, error = 0, size = 0;
};
CrossEntropy cross_entropy(const BoundedMatrix& logits, int row, int label, double u);
// p - e_label for every row. The entry at the label may be formed as p - 1 or as minus the sum of the others.
BoundedMatrix residual(const BoundedMatrix& logits, const std::vector<int>& labels, double u);

}  // namespace popgrad::oracle
