// Joint laws of (x, y) with finitely many atoms, on which Lemma 2 is checked exactly.
#pragma once
#include <cstdint>
#include <vector>

#include "core/rational.hpp"
#include "core/running_error.hpp"

namespace popgrad {

// P(x = x_i, y = label_i) = probability_i. Several atoms may share x or the label. S: double, RunningError or Rational.
template <class S>
struct FiniteLaw {
  int N = 0;                   // labels 0..N-1
  int d_in = 0;                // dimension of x
  int d_out = 0;               // dimension of the output embeddings w_U(k)
  std::vector<S> probability;  // atoms
  std::vector<int> label;      // atoms
  std::vector<S> x;            // atoms x d_in, row-major

  int atoms() const { return static_cast<int>(label.size()); }
  const S* input(int atom) const { return &x[static_cast<std::size_t>(atom * d_in)]; }
  // HypothesisError unless N >= 2, the shapes fit, probabilities are non-negative with sum 1 (doubles: within their
  // rounding) and every label has positive probability.
  void validate() const;
};

// The matrices in L(W) = E l(y, W_U W x). Row-major.
template <class S>
struct LawWeights {
  std::vector<S> w_u;  // N x d_out, frozen; row k = w_U(k)^T
  std::vector<S> w;    // d_out x d_in, differentiated
};

template <class S>
struct LawInstance {
  FiniteLaw<S> law;
  LawWeights<S> weights;
};

struct LawShape {
  int N = 3, d_in = 4, d_out = 5, atoms = 12;  // N >= 2, dimensions >= 1, atoms >= N
};

// Draw number `sample` from Stream(seed, Purpose::finite_law, sample): non-uniform labels, each with positive probability;
// some x shared between labels; normal entries with a common offset in x, normal w_u and w. Nothing is symmetric.
LawInstance<double> random_law(const LawShape& shape, std::uint64_t seed, std::uint64_t sample);

// The same with small rational entries and w = 0, where p_hat = 1/N is rational.
LawInstance<Rational> random_rational_law(const LawShape& shape, std::uint64_t seed, std::uint64_t sample);

// x = s(y) + n with n independent of y: atoms (k, j) with probability p_k r_j. label_weights (N) and noise_weights are
// positive and proportional to p and r; signal: N x d_in, noise: m x d_in.
template <class S>
FiniteLaw<S> signal_plus_noise(const std::vector<int>& label_weights, const std::vector<S>& signal,
                               const std::vector<int>& noise_weights, const std::vector<S>& noise, int d_in, int d_out);

// The same law or weights with every double taken as exact and its rounding errors tracked from here on.
FiniteLaw<RunningError> with_running_error(const FiniteLaw<double>& law);
LawWeights<RunningError> with_running_error(const LawWeights<double>& weights);

}  // namespace popgrad
