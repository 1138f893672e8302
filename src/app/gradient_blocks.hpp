// From the engines' maps to the blocks that are shown.
#pragma once
#include <string>
#include <vector>

#include "app/gradient_result.hpp"
#include "core/interval.hpp"
#include "core/running_error.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/stage_finite.hpp"

namespace popgrad {

Number number_of(double x);
Number number_of(const Rational& x);
Number number_of(const RationalFunction& x);  // the formula alone
Number number_of(const RunningError& x);
Number number_of(const Interval& x);       // the midpoint, and the ends
Number number_of(const Moments& moments);  // mean, its standard error, and the spread

// The blocks of one map (1 W_O, 2 W_K2, 3 W_K1) in the order of the contract: U,E U,P U,R U,S; the sixteen pairs of E, P, R,
// S; E,E E,P P,E P,P. For double, Rational and RunningError;
// the first also for Interval and RationalFunction.
template <class S>
std::vector<GradientBlock> blocks_of(const InvariantMaps<S>& maps, int map);
template <class S>
std::vector<GradientBlock> blocks_of(const std::vector<BlockSummary<S>>& summaries);
std::vector<GradientBlock> blocks_of(const std::vector<BlockMoments>& moments);

}  // namespace popgrad
