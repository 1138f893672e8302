// The ideal model as the model of section 1 with one-hot embeddings: vectors of dimension D = 2(N+T), written out.
#pragma once
#include <vector>

#include "tests/oracle/minimal_oracle.hpp"

namespace popgrad::oracle {

// Coordinates E_0..E_{N-1}, P_0..P_{T-1}, R_0..R_{N-1}, S_0..S_{T-1}; w_E(k) and p_t are the first N+T unit vectors, and
// W_O1 W_V1 is the matrix that moves E_k to R_k and P_t to S_t.
template <class S>
struct IdealParameters {
  int N = 0, T = 0;
  std::vector<S> wo;   // N x D row-major: w_U(k)^T W_O2 W_V2 in the basis above
  std::vector<S> wk2;  // D x D, query coordinate first
  std::vector<S> wk1;  // (N+T) x (N+T), query coordinate first
};

// N logits at the last position. The residual path adds nothing: w_U is orthogonal to everything the layers read.
// Scalars: double, Dual, BoundedDual. std::invalid_argument unless 1 <= length <= T and tokens are in 0..N-1.
template <class S>
std::vector<S> ideal_oracle_logits(const IdealParameters<S>& p, const std::vector<int>& tokens);

// Cross-entropy at the last position against `label`.
template <class S>
S ideal_oracle_loss(const IdealParameters<S>& p, const std::vector<int>& tokens, int label);

// Population loss: sum of probability times loss.
template <class S>
S ideal_oracle_population_loss(const IdealParameters<S>& p, const std::vector<WeightedSequence>& law);

// All entries in one vector, wo | wk2 | wk1; and back.
std::vector<double> ideal_entries(const IdealParameters<double>& p);
template <class S>
IdealParameters<S> from_ideal_entries(int N, int T, const std::vector<S>& entries);

}  // namespace popgrad::oracle
