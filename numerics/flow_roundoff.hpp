// How far rounding may have moved an entry of the maps of a flow, or a logit: what a tie is judged by.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// Largest error of an entry, by map.
struct MapRoundoff {
  double wo = 0, wk2 = 0, wk1 = 0;
};

// What one orbit_descent at these maps commits, to first order in u = 2^-53. With L = T, G = |(U,E)| + |(U,R)| (contrasts), S1 and S2 the sums of
// the largest magnitudes of the blocks that a score of layer 1 and 2 adds up, and Q the part of S2 whose query or key reads layer 1, with (R,R),
// (R,S), (S,R), (S,S), where both do, counted twice, relative errors are at most
//   attention 1: e1 = (L + 8 + 8 S1) u,   attention 2: e2 = 2 (Q e1 + 3 L S2 u) + (L + 8) u,   p_hat: e3 = 2 G (e1 + e2 + 2 L u) + (L + 8) u,
// the terms of an entry add up to at most 2 in W_O, 2 G in W_K2 and 2 (|(U,R)| + 2 G Q) in W_K1, hold attention 1 at most three times (query, key
// and value), attention 2 and p_hat once, and are summed with at most (number of orbits + 6 L + 20) roundings.
MapRoundoff descent_roundoff(const MinimalTask& task, const InvariantMaps<double>& maps);

// The same for a logit of orbit_loss, at maps whose entries are known up to `known`. A bound from sizes alone: where a score is large but its
// sum is exact, as at hand-made maps, it is far too wide.
double logit_roundoff(const MinimalTask& task, const InvariantMaps<double>& maps, const MapRoundoff& known);

}  // namespace popgrad
