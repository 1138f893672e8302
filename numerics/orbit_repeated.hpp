// The part of a population gradient that comes from sequences whose output is the trigger.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// E[1{o = q} (-grad of the cross-entropy at the second trigger)] for the map of `stage`, by sums over orbits: what the stratum o = q of a sample
// contributes to orbit_descent. Hypotheses and errors of orbit_descent; HypothesisError unless 1 <= stage <= 3.
InvariantMaps<double> repeated_output_descent(const MinimalTask& task, const InvariantMaps<double>& maps, int stage);

}  // namespace popgrad
