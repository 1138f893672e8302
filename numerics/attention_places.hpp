// Where the second trigger looks, by place relative to the first one: population means at invariant maps.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// Means over the task; lines of five places add up to 1.
struct AttentionPlaces {
  // Attention of layer 2 at the last position: on positions before tau, tau, tau + 1 (the output), tau + 2 .. T - 1, T.
  double before = 0, trigger = 0, output = 0, after = 0, last = 0;
  // Attention of layer 1 at position tau + 1 on tau: what a previous-token head makes 1. Uniform attention has the mean of 1/(tau + 1).
  double previous = 0, previous_uniform = 0;
  // Of the attention of layer 1 at tau + 1, the part on tokens equal to the one at tau, wherever they stand: what the key shows of q.
  double trigger_share = 0;
  // P(right) given o = q and given o != q; a tie counts 1/#tied.
  double accuracy_same = 0, accuracy_other = 0;
};

// Through the forward pass written for full maps, one sequence an orbit. InputError beyond longest_orbits; HypothesisError unless labels are
// uniform and maps have the task's N and T. Costs (N + T)^2 T an orbit.
AttentionPlaces attention_places(const MinimalTask& task, const InvariantMaps<double>& maps);

}  // namespace popgrad
