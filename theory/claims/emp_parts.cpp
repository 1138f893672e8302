#include "theory/claims/emp_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {

const Probe& emp_accuracy(const Metrics& m) { return m.accuracy; }
const Probe& emp_wo2(const Metrics& m) { return m.wo2; }
const Probe& emp_wk2(const Metrics& m) { return m.wk2; }
const Probe& emp_wk1(const Metrics& m) { return m.wk1_64; }

std::vector<double> rise_times(const std::vector<RunCurve>& curves, const ProbeOf& probe) {
  std::vector<double> list;
  for (const RunCurve& curve : curves) {
    const auto step = rise_of(curve.metrics, probe);
    list.push_back(step ? static_cast<double>(*step) : never);
  }
  return list;
}

std::vector<double> crossing_times(const std::vector<RunCurve>& curves, const QuantityOf& quantity, double share, Toward toward) {
  std::vector<double> list;
  for (const RunCurve& curve : curves) {
    std::vector<double> values;
    for (const Metrics& m : curve.metrics) values.push_back(quantity(m));
    const double target = toward == Toward::last ? values.back() : *std::ranges::min_element(values);
    const double level = values.front() + share * (target - values.front()), sign = target > values.front() ? 1 : -1;
    double time = never;
    int beyond = 0;
    for (std::size_t i = 0; i < values.size() && time == never; ++i) {
      beyond = sign * values[i] > sign * level ? beyond + 1 : 0;
      if (beyond == 3) time = static_cast<double>(curve.metrics[i - 2].step);
    }
    list.push_back(time);
  }
  return list;
}

std::vector<double> fall_times(const std::vector<RunCurve>& curves) {
  const auto kl = [](const Metrics& m) {
    require(m.kl.has_value(), "fall_times", "curves", "runs that measure KL", "one that does not");
    return m.kl->value;
  };
  return crossing_times(curves, kl, 0.5, Toward::lowest);
}

std::vector<double> margin_times(const std::vector<RunCurve>& curves, const ProbeOf& probe) {
  return crossing_times(curves, [&](const Metrics& m) { return probe(m).margin; }, 0.1, Toward::last);
}

std::vector<double> values_at(const std::vector<RunCurve>& curves, const ProbeOf& probe, std::int64_t step) {
  std::vector<double> list;
  for (const RunCurve& curve : curves) {
    const auto at = std::ranges::find(curve.metrics, step, &Metrics::step);
    require(at != curve.metrics.end(), "values_at", "step", "an update at which every run was evaluated", std::to_string(step));
    list.push_back(probe(*at).value);
  }
  return list;
}

std::vector<double> final_test_accuracy(const std::vector<RunCurve>& curves, std::size_t law) {
  std::vector<double> list;
  for (const RunCurve& curve : curves) list.push_back(curve.tests.at(law).back().value);
  return list;
}

std::vector<double> times(double factor, std::vector<double> values, double plus) {
  for (double& x : values) x = factor * x + plus;
  return values;
}

std::string spread(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const auto shown = [](double x) { return x == never ? std::string("never") : fmt::format("{:.4g}", x); };
  const std::size_t n = sorted.size(), middle = n / 2;
  const double median = n % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return fmt::format("{} ({}..{})", shown(median), shown(sorted.front()), shown(sorted.back()));
}

Order mixed_labels(Order order) {
  for (std::size_t i = 0; i < std::min(order.smaller.size(), order.larger.size()); i += 2) std::swap(order.smaller[i], order.larger[i]);
  return order;
}

Order reversed(Order order) {
  std::swap(order.smaller, order.larger);
  return order;
}

Control wrong_orders(std::string name, std::string changes, std::vector<Order> orders) {
  return {std::move(name), std::move(changes), [orders = std::move(orders)] { return order_entries(orders, emp_level); }};
}

Control nothing_to_find(std::string name, std::string changes, std::vector<Order> orders) {
  return {std::move(name), std::move(changes), [orders = std::move(orders)] { return found_entries(orders, emp_level); }};
}

Row emp_row(const std::string& claim, const std::string& part, const EmpSizes& sizes, const EmpRuns& runs, const std::vector<Order>& orders,
            const std::vector<Control>& controls, const std::string& measured) {
  std::size_t diverged = 0;
  for (const auto& [setting, curves] : runs)
    for (const RunCurve& curve : curves) diverged += curve.diverged.empty() ? 0U : 1U;
  Row row = judge_orders(claim, part, fmt::format("{}, level {:g}", sizes.describe(), emp_level), orders, emp_level, controls,
                         "raise verify.work, which multiplies the seeds");
  row.reason += ". Medians over seeds (range): " + measured;
  if (diverged > 0) row.reason += fmt::format(". {} runs diverged, and count as never", diverged);
  return row;
}

}  // namespace popgrad
