// The one-step example with orthonormal embeddings as a finite law: x = w_E(y) + p_t in R^(N+T), W_U = I.
#pragma once
#include "numerics/finite_law.hpp"

namespace popgrad {

// Atoms (y, t), all equally likely unless label_weights (N positive integers) say P(y = k) otherwise. x = E_y + P_t in
// coordinates E_1..E_N, P_1..P_T; d_out = N, w_U(k) = e_k, W = 0. N >= 2, T >= 1.
LawInstance<Rational> onestep_law(int N, int T, const std::vector<int>& label_weights = {});

}  // namespace popgrad
