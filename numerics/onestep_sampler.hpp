// L2.onestep at finite d, measured: embeddings drawn, one population-gradient step taken, logits read off.
#pragma once
#include <cstdint>

#include "core/moments.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

struct OnestepTables {
  Matrix tok;  // N x d, i.i.d. N(0, 1/d), like the two others
  Matrix pos;  // T x d
  Matrix out;  // N x d
};

// Draw number `draw` of the tables for (N, T, d).
OnestepTables draw_onestep_tables(int N, int T, int d, std::uint64_t seed, std::uint64_t draw);

// W_1 = -(population gradient at W = 0) of L(W) = E l(y, W_U W (w_E(y) + p_t)), (y, t) uniform, i.e. one step of size 1.
// d x d. The gradient is E[sum_k (1/N - 1{y=k}) w_U(k) x^T]; only the sum over t is done first, since x is additive in t.
Matrix onestep_weights(const OnestepTables& tables);

// Averages over all inputs (k, t), and over j != k for wrong logits, of logits in units of eta/N; each Moments is over draws,
// which are independent.
struct OnestepStatistics {
  Moments right, right_squared;
  Moments wrong, wrong_squared;
  Moments right_times_wrong;
  Moments wrong_times_wrong;            // two different wrong logits; 0 for N = 2
  std::int64_t draws_with_mistakes = 0;  // draws in which some input is not classified right
  Moments accuracy;                     // right logit strictly above every other
  OnestepStatistics& operator+=(const OnestepStatistics& other);
};

OnestepStatistics onestep_of_one_draw(const OnestepTables& tables);

// N >= 2, T, d, draws >= 1. Cost per draw O(N d^2 + N^2 (d + T)).
OnestepStatistics sample_onestep(int N, int T, int d, std::int64_t draws, std::uint64_t seed);

}  // namespace popgrad
