// The gradients of the three-step construction by enumeration over orbits: exactly to leading order, and at full softmax.
#pragma once
#include <string>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/rational.hpp"
#include "core/stages.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// One monomial in the sizes of the earlier steps, and the coefficient of it in the descent direction of the stage's map (the other maps
// of `descent` are zero).
struct StageTerm {
  std::string monomial;
  InvariantMaps<Rational> descent;
};

// Leading order, exact. Stage 1: "1". Stage 2: "alpha" (ideal) or "eta1" (actual). Stage 3: "alpha", "alpha*beta" (ideal) or "eta1", "eta1^2",
// "eta1^2*eta2" (actual): the last is where the second attention first helps, those before it come through the value path alone.
// `blocks` says what the earlier steps hand on; with an ideal hand-off there is nothing but the memories, so both are the same.
// Cost: one pass over the orbits in series of rationals a stage; T <= longest_orbits.
std::vector<StageTerm> stage_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage);

// Sizes of the steps before a stage: alpha, beta for an ideal hand-off, eta1, eta2, eta3 for an actual one.
struct StageSizes {
  double first = 0, second = 0, third = 0;
};

// The parameters from which `stage` takes its step at full softmax (zero, or what stages 1..stage-1 handed on), in doubles. stage = 4: after
// all three steps (third = size of the last; with an ideal hand-off third times W_K1*).
InvariantMaps<double> stage_start(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage, const StageSizes& sizes);

// Every entry rounded once.
InvariantMaps<double> in_doubles(const InvariantMaps<Rational>& maps);

// A map with only its memory block left: (U,E), (E,R) or (P,P) of the stage's map; the other maps zero.
template <class S>
InvariantMaps<S> isolate(const InvariantMaps<S>& maps, int stage);

}  // namespace popgrad
