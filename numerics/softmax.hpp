// Softmax that neither overflows nor loses the small terms: the largest score is subtracted first.
#pragma once
#include <cmath>

#include "numerics/finite_model.hpp"

namespace popgrad {

// Replaces the first `count` entries of row i by their softmax and the others by 0: count - 1 is the last position that
// a causal query sees. 1 <= count <= scores.cols().
inline void softmax_prefix(Matrix& scores, Eigen::Index i, Eigen::Index count) {
  auto seen = scores.row(i).head(count);
  seen = (seen.array() - seen.maxCoeff()).exp();
  seen /= seen.sum();
  scores.row(i).tail(scores.cols() - count).setZero();
}

// log sum_j exp(row_j).
template <class Row>
double log_sum_exp(const Eigen::MatrixBase<Row>& row) {
  const double top = row.maxCoeff();
  return top + std::log((row.array() - top).exp().sum());
}

// Gradient with respect to softmax inputs from that with respect to its outputs, row by row, in place of `gradient`:
// g_j <- p_j (g_j - sum_k p_k g_k). Entries of probability 0 (masked) get 0.
inline void softmax_backward(const Matrix& probabilities, Matrix& gradient) {
  const Vector mean = probabilities.cwiseProduct(gradient).rowwise().sum();
  gradient.colwise() -= mean;
  gradient.array() *= probabilities.array();
}

}  // namespace popgrad
