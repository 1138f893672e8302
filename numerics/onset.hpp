// How the population gradient flow leaves zero: its Taylor coefficients in time, exactly.
#pragma once
#include <vector>

#include "core/rational.hpp"
#include "numerics/flow_rule.hpp"

namespace popgrad {

// theta(t) = sum_{k=1..order} c[k] t^k + O(t^{order+1}) solves d/dt theta = flow_descent(theta), theta(0) = 0, all maps at the same
// rate. c[0] = 0; (k+1) c[k+1] = [t^k] flow_descent(theta), whose coefficient of t^k needs theta up to t^k only.
// HypothesisError unless 1 <= order <= highest_onset_order. `order` passes over the orbits in series of rationals.
std::vector<InvariantMaps<Rational>> onset_coefficients(const MinimalTask& task, const FlowRule& rule, int order);

inline constexpr int highest_onset_order = 4;

// Memory signal of a row of (P,P), t 1-based with 4 <= t <= T-1: W[t,t-1] - mean over 2 <= j <= t-2 of W[t,j].
template <class S>
S position_signal(const InvariantBlock<S>& block, int T, int t);

}  // namespace popgrad
