// Mean of f by what a position holds, and the mean descent in the scores of layer 2 by position. Internal to numerics.
#pragma once
#include <array>
#include <vector>

#include "numerics/moment_law.hpp"
#include "numerics/moment_reads.hpp"

namespace popgrad {

// diag - off of (U,E) and (U,R): all of W_O that acts at leading order.
struct ValueContrasts {
  Rational token, prefix;
};

// E f, f = 1{z = o} - 1/N, at a trigger, an output and a background position: integers over `unit`.
struct MeanExcess {
  std::array<Integer, 3> f;
  Integer unit;
  explicit MeanExcess(const TokenLaw& law);
  Rational of(int token) const { return Rational(f[static_cast<std::size_t>(token)], unit); }
};

// E c_s at the L positions of one length, times `factor`: c_s = g_s - mean g, g = value.token f + value.prefix F; and what
// of it flows to r <= s through uniform first attention, sum_{s>=r} c_s / (s+1) (positions from 0). Integers, without a gcd:
// O(L) additions.
struct MeanScore {
  std::vector<Integer> token, remapped;  // keys P_s, over token_unit; keys S_r, over remapped_unit
  Integer token_unit, remapped_unit;
};
MeanScore mean_score(const MeanExcess& excess, const ReadScale& scale, const ValueContrasts& value, const Rational& factor,
                     int L);

}  // namespace popgrad
