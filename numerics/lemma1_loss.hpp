// The loss of Lemma 1 on a real bigram law, and its gradient measured from the value of the loss alone.
#pragma once
#include "core/bigram_counts.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

// L(W) = sum_z p(z) sum_k p(k|z) l(k, W_U W w_E(z)), p(z) = pi_u and p(k|z) = pi_b of `counts`, l = cross-entropy. Tables:
// w_e and w_u are N x d (row k = w(k)^T), w is d x d. HypothesisError unless the shapes fit.
double bigram_loss(const BigramCounts& counts, const Matrix& w_e, const Matrix& w_u, const Matrix& w);

// grad L(W), d x d, one forward-mode pass an entry (the derivative of log-sum-exp as a power series; no formula for a
// gradient enters), with the running error bound of each entry: |value - exact| <= roundoff, exact at these very doubles
// and at the exact ratios of counts. d^2 passes of N (d^2 + N d + N) products each.
struct BigramLossGradient {
  Matrix value;
  Matrix roundoff;
};
BigramLossGradient bigram_loss_gradient(const BigramCounts& counts, const Matrix& w_e, const Matrix& w_u, const Matrix& w);

}  // namespace popgrad
