// The first terms of the population flow from zero beyond the exact ones, in doubles with running error bounds.
#pragma once
#include <vector>

#include "numerics/flow_rule.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {

// onset_coefficients with coefficients known up to their running error: c[0] .. c[order], order <= highest_onset_term.
std::vector<InvariantMaps<RunningError>> onset_terms(const MinimalTask& task, const FlowRule& rule, int order);

inline constexpr int highest_onset_term = 10;

// x(t)/(c[k] t^k) = 1 + r_1 t + .. + r_n t^n + remainder, for one number x = sum_k c[k] t^k of the maps whose first power is k.
class OnsetRatio {
 public:
  // HypothesisError unless c[k] is known not to be zero and at least three later terms are there.
  OnsetRatio(const std::vector<RunningError>& c, int k);
  double value(double t) const;
  // Errors of the r_j, and the terms left out as a geometric series with the largest |r_j|^(1/j) among the last three: not a proof, but it
  // uses exact terms alone. Infinite where that series diverges.
  double error(double t) const;

 private:
  std::vector<RunningError> r_;  // r_1 ..
  double growth_ = 0;
};

// One step of length h of the classical Runge-Kutta method (order four) along d/dt theta = flow_descent(theta).
InvariantMaps<double> runge_kutta_step(const MinimalTask& task, const FlowRule& rule, const InvariantMaps<double>& maps, double h);

}  // namespace popgrad
