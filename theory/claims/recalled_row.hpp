// Whether a row of (P,P) of W_K1 recalls the position before it. Internal to theory/claims.
#pragma once
#include "core/rational.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// 0-based t >= 1: P_{t-1} alone has the largest entry of the causal part s <= t of row t, exactly.
inline bool recalls(const InvariantMaps<Rational>& maps, int t) {
  const auto& pp = maps.k1(Block::P, Block::P).entries;
  const auto at = [&](int s) -> const Rational& { return pp[static_cast<std::size_t>(t * maps.T + s)]; };
  for (int s = 0; s <= t; ++s)
    if (s != t - 1 && at(s) >= at(t - 1)) return false;
  return true;
}

}  // namespace popgrad
