// What moves in a population gradient flow, and along which descent direction.
#pragma once
#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/paths.hpp"

namespace popgrad {

struct FlowRule {
  Blocks blocks = Blocks::full;  // isolated: only (U,E), (E,R) and (P,P) move
  bool value_block = true;       // false: (U,R) stays at zero, so nothing that layer 1 wrote can reach the logits as a value
  bool first_keys = true;        // false: W_K1 stays at zero, so the attention of layer 1 stays uniform
  Paths paths;
};

// orbit_descent with the blocks that do not move set to zero. Exact when S is Rational or a series of rationals.
template <class S>
InvariantMaps<S> flow_descent(const MinimalTask& task, const InvariantMaps<S>& maps, const FlowRule& rule,
                              const Wanted& wanted = {});

// The rule under the one word that the command line and the claims call it by: "nothing" (all is there), "value_block", "wk1" (W_K1
// stays at zero), or a path: "value", "key", "query", "guess". InputError otherwise.
FlowRule flow_without(const std::string& word, Blocks blocks);

}  // namespace popgrad
