// What the forward pass of the ideal model computed, for its backward pass and for tests. Internal to numerics.
#pragma once
#include <vector>

#include "numerics/ideal_model.hpp"

namespace popgrad {

// L = number of tokens, M = 2(N+T) coordinates of the residual stream. Row-major.
template <class S>
struct IdealTrace {
  Coordinates at;
  std::vector<int> tokens;    // L
  std::vector<S> attention1;  // L x L, zero above the diagonal
  std::vector<S> x1;          // L x M
  std::vector<S> query2;      // M, W_K2^T x1_L: what a key is multiplied with
  std::vector<S> attention2;  // L, of the last position
  std::vector<S> value;       // M, sum_s a2_s x1_s
  std::vector<S> logits;      // N

  int L() const { return static_cast<int>(tokens.size()); }
  const S& a1(int t, int s) const { return attention1[static_cast<std::size_t>(t * L() + s)]; }
  const S& key(int s, int coordinate) const { return x1[static_cast<std::size_t>(s * at.size() + coordinate)]; }
};

// HypothesisError unless 1 <= L <= T and every token is in 0..N-1.
template <class S>
IdealTrace<S> ideal_trace(const IdealMaps<S>& maps, const std::vector<int>& tokens);

}  // namespace popgrad
