// E[f_u x_v] for two positions, f_u = 1{z_u = o} - 1/N, x a function of one token of the sequence. Internal to numerics.
#pragma once
#include <array>

#include "numerics/moment_law.hpp"

namespace popgrad {

// By what the positions hold: trigger, output, background (two different positions), and one background position for both.
// Trigger and output need no second kind: z_tau and z_T are the same token.
struct PairExcess {
  std::array<Rational, 9> apart;
  Rational same;
  const Rational& e(int u, int v) const { return apart[static_cast<std::size_t>(3 * u + v)]; }
};

// x_v = 1{z_v = q}.
PairExcess with_trigger(const TokenLaw& law);
// x_v = frequency of z_v among the L tokens.
PairExcess with_frequency(const TokenLaw& law, int L);

}  // namespace popgrad
