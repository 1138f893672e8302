// L(W) = E l(y, W_U W x) on a finite law: the loss, its gradient by two routes, and the moments and means that Lemma 2
// speaks of. Everything is for S = double, RunningError (a double with its roundoff bound) and Rational. Rationals need W =
// 0: elsewhere p_hat is irrational (HypothesisError).
#pragma once
#include <vector>

#include "numerics/finite_law.hpp"

namespace popgrad {

// E[log((1/N) sum_k exp(logit_k)) - logit_y] = L(W) - log N: the loss minus that of the uniform guess, so that it is
// rational at W = 0.
template <class S>
S law_excess_loss(const FiniteLaw<S>& law, const LawWeights<S>& weights);

// d/dh L(W + h D) at h = 0 by forward-mode differentiation of the value of the loss alone (a power series through
// log-sum-exp): no formula for a gradient enters. direction: d_out x d_in.
template <class S>
S law_directional_derivative(const FiniteLaw<S>& law, const LawWeights<S>& weights, const std::vector<S>& direction);

// grad L(W), d_out x d_in: one law_directional_derivative an entry.
template <class S>
std::vector<S> law_gradient(const FiniteLaw<S>& law, const LawWeights<S>& weights);

// The gradient at one atom by the chain rule: sum_k (p_hat_W(k|x) - 1{y=k}) w_U(k) x^T, d_out x d_in, not weighted by the
// probability of the atom. E of it over the law is grad L(W).
template <class S>
std::vector<S> law_atom_gradient(const FiniteLaw<S>& law, const LawWeights<S>& weights, int atom);

// E || sum_k (p_hat_k - 1{y=k}) w_U(k) ||^2 ||x||^2 = E || atom gradient ||_F^2
template <class S>
S law_second_moment(const FiniteLaw<S>& law, const LawWeights<S>& weights);

// Summaries of the law that no gradient formula enters. Row-major.
template <class S>
struct LawMeans {
  std::vector<S> probability;  // N, p(y = k)
  std::vector<S> mu;           // N x d_in, E[x | y = k]
  std::vector<S> mu_hat;       // N x d_in, E[p_hat_W(k|x) x] / p(y = k)
};
template <class S>
LawMeans<S> law_means(const FiniteLaw<S>& law, const LawWeights<S>& weights);

}  // namespace popgrad
