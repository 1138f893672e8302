#include "numerics/onset_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/errors.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/onset_recursion.hpp"

namespace popgrad {

std::vector<InvariantMaps<RunningError>> onset_terms(const MinimalTask& task, const FlowRule& rule, int order) {
  static_assert(highest_onset_term == 10, "the series keeps t^9: the last coefficient needs no more");
  require(order >= 1 && order <= highest_onset_term, "onset_terms", "order", "1 .. 10", std::to_string(order));
  return onset_recursion<RunningErrorSeries9, RunningError>(task, rule, order);
}

OnsetRatio::OnsetRatio(const std::vector<RunningError>& c, int k) {
  const auto first = static_cast<std::size_t>(k);
  require(k >= 1 && first + 3 < c.size(), "OnsetRatio", "c", "three terms after the first", std::to_string(c.size()));
  require(std::abs(c[first].value) > c[first].error, "OnsetRatio", "c", "a first coefficient that is not zero", std::to_string(c[first].value));
  for (std::size_t j = first + 1; j < c.size(); ++j) r_.push_back(c[j] / c[first]);
  for (std::size_t j = r_.size() - 3; j < r_.size(); ++j)
    growth_ = std::max(growth_, std::pow(std::abs(r_[j].value) + r_[j].error, 1.0 / static_cast<double>(j + 1)));
}

double OnsetRatio::value(double t) const {
  double sum = 0;
  for (std::size_t j = r_.size(); j > 0; --j) sum = (sum + r_[j - 1].value) * t;
  return 1 + sum;
}

double OnsetRatio::error(double t) const {
  const double q = growth_ * t;
  if (!(q < 1)) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t j = r_.size(); j > 0; --j) sum = (sum + r_[j - 1].error) * t;
  return sum + std::pow(q, static_cast<double>(r_.size() + 1)) / (1 - q);
}

InvariantMaps<double> runge_kutta_step(const MinimalTask& task, const FlowRule& rule, const InvariantMaps<double>& maps, double h) {
  const auto slope = [&](double step, const InvariantMaps<double>& along) {
    return flow_descent(task, InvariantMaps<double>(maps).add(step, along), rule);
  };
  const InvariantMaps<double> k1 = flow_descent(task, maps, rule), k2 = slope(h / 2, k1), k3 = slope(h / 2, k2), k4 = slope(h, k3);
  return InvariantMaps<double>(maps).add(h / 6, k1).add(h / 3, k2).add(h / 3, k3).add(h / 6, k4);
}

}  // namespace popgrad
