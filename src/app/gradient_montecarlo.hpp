// The engine montecarlo of popgrad gradient: any N and T at full order, as estimates.
#pragma once
#include "app/gradient_engines.hpp"

namespace popgrad {

// Not the leading order, not finite d; after two actual steps only where sums over orbits reach, because the second step is
// the start.
std::string montecarlo_limits(const GradientRequest& request);
Cost montecarlo_cost(const GradientRequest& request);
// Stratified samples with the exact leading order as control variate, where it is known; standard errors throughout. That of
// a contrast is the sum of those of diag and off, which it cannot exceed.
GradientResult run_montecarlo(const GradientRequest& request, const GradientProgress& progress);

}  // namespace popgrad
