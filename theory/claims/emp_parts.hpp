// What the empirical claims share: times and values read off curves, means over seeds, rows.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check/order_row.hpp"
#include "check/order_tests.hpp"
#include "theory/claims/emp_runs.hpp"

namespace popgrad {

// Family-wise over the orders of a row, in either direction (Holm). Tests over a handful of seeds cannot reach the level of the sampled
// claims, 1e-6: that would take 20 seeds for a sign test and 12 on each side for a rank-sum test.
inline constexpr double emp_level = 0.01;

using ProbeOf = std::function<const Probe&(const Metrics&)>;
const Probe& emp_accuracy(const Metrics& m);
const Probe& emp_wo2(const Metrics& m);
const Probe& emp_wk2(const Metrics& m);
const Probe& emp_wk1(const Metrics& m);  // first 64 positions, causal mask

// For each run the update at which the probe rises (three evaluations above (1 + chance)/2), or never.
std::vector<double> rise_times(const std::vector<RunCurve>& curves, const ProbeOf& probe);
// For each run the first of three consecutive evaluations at which a quantity has gone beyond `share` of the way from its first value to its
// last or lowest one; or never.
using QuantityOf = std::function<double(const Metrics&)>;
enum class Toward { last, lowest };
std::vector<double> crossing_times(const std::vector<RunCurve>& curves, const QuantityOf& quantity, double share, Toward toward);
// KL to the bigram law, half of the way to its lowest value.
std::vector<double> fall_times(const std::vector<RunCurve>& curves);
// The margin of a probe, a tenth of the way to its last value.
std::vector<double> margin_times(const std::vector<RunCurve>& curves, const ProbeOf& probe);
// For each run the value at the evaluation after `step` updates; NaN is not there: HypothesisError if a run has none (it diverged).
std::vector<double> values_at(const std::vector<RunCurve>& curves, const ProbeOf& probe, std::int64_t step);
// Of each run at its last evaluation, under test law `law`.
std::vector<double> final_test_accuracy(const std::vector<RunCurve>& curves, std::size_t law);

std::vector<double> times(double factor, std::vector<double> values, double plus = 0);  // factor x + plus

// "K=5: 420 (380..460), K=1: never"; the median and the range over seeds.
std::string spread(const std::vector<double>& values);

// Both orders' labels exchanged in every second seed: there is nothing left to find.
Order mixed_labels(Order order);
Order reversed(Order order);
// The statement that any of these orders is found, or that all are: see order_row.hpp.
Control wrong_orders(std::string name, std::string changes, std::vector<Order> orders);
Control nothing_to_find(std::string name, std::string changes, std::vector<Order> orders);

// judge_orders() at emp_level, at the sizes of these settings; the reason ends with what was measured. Diverged runs are counted there.
Row emp_row(const std::string& claim, const std::string& part, const EmpSizes& sizes, const EmpRuns& runs, const std::vector<Order>& orders,
            const std::vector<Control>& controls, const std::string& measured);

// Series "figure3" and "figure4": for each setting and evaluation the mean over seeds and a 95 % interval of it (Student).
Series figure3_series(const EmpSizes& sizes, const EmpRuns& runs);
Series figure4_series(const EmpSizes& sizes, const EmpRuns& runs);

}  // namespace popgrad
