// Population gradients of the ideal model at full softmax as proved enclosures.
#pragma once
#include "core/interval.hpp"
#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {

// The same maps, every double taken as exact.
InvariantMaps<Interval> enclose(const InvariantMaps<double>& maps);

// For every choice of parameters in `maps`, each entry of E[-grad of the cross-entropy at the second trigger] lies in the
// entry returned (wanted maps; the others are zero). Parameters may be enclosures themselves: gradients of earlier stages
// times step sizes. Every operation of orbit_descent is done on intervals (core/interval.hpp says what that assumes), exp
// included. What is subtracted in a softmax only has to be one of its scores, so a choice among overlapping intervals is
// sound. Unbounded results are the whole line, not errors. About 20 times the cost of orbit_descent<double>: three stages in
// some seconds of processor time at (65,10), about a minute at (65,12). Errors of orbit_descent.
InvariantMaps<Interval> certified_descent(const MinimalTask& task, const InvariantMaps<Interval>& maps,
                                          const Wanted& wanted = {});
InvariantMaps<Interval> certified_descent(const MinimalTask& task, const InvariantMaps<double>& maps,
                                          const Wanted& wanted = {});

// Enclosure of the parameters from which `stage` takes its step: stage_start (numerics/stage_terms.hpp) without its rounding
// errors; the sizes are exact. HypothesisError unless 1 <= stage <= 4.
InvariantMaps<Interval> certified_start(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage,
                                        const StageSizes& sizes);

}  // namespace popgrad
