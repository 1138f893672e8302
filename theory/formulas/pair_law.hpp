// Internal: the joint law of output and trigger tokens that stages 2 and 3 see. Includes GiNaC.
//
// With O_a = 1{a = tau+1} and Q_b = 1{b in {tau, T}}, whatever the places of the background,
//   P(z_a = o, z_b = q | tau) = f(a) + g(b) + u O_a Q_b + v Q_a O_b + w O_a O_b.
// f and g cancel in both stages: the second attention is centred over the attended position a, the first over its keys b.
#pragma once
#include "core/minimal_task.hpp"
#include "theory/formulas/symbols.hpp"

namespace popgrad::symbolic {

struct PairWeights {
  GiNaC::ex u, v, w;
};

// any: u = (1 - 1/N)^2, v = (1/N)(1 - 1/N), w = 0. avoid: u = 1 - 1/N, v = w = 1/N. Derivation: docs/theory.md, T3.step2.
// Call inside build().
inline PairWeights pair_weights(Background background) {
  const auto N = symbol("N");
  if (background == Background::any) return {pow(1 - 1 / N, 2), (1 - 1 / N) / N, 0};
  return {1 - 1 / N, 1 / N, 1 / N};
}

}  // namespace popgrad::symbolic
