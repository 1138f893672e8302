// T3.gate (d): the gate at finite d, where the residual stream reaches the logits without W_O2.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "check/statistics.hpp"
#include "numerics/finite_population.hpp"
#include "numerics/gate_decay.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_gate_parts.hpp"

namespace popgrad {
namespace {

std::vector<Entry> second_key_entries(const MinimalTask& task, const FiniteModel& model) {
  const Matrix gradient = population_gradient(model, task).wk2;
  std::vector<Entry> entries;
  for (Eigen::Index i = 0; i < gradient.size(); ++i)
    entries.push_back(entry("W_K2 #" + std::to_string(i), 0, gradient.data()[i], Budget{}));
  return entries;
}

Row second_key(const ClaimContext& context, const MinimalTask& task, int d) {
  const FiniteModel model = gate_model(task, d, context.seed, 0, true);
  const auto with = [&](double size, const std::function<void(FiniteModel&, double)>& change) {
    return [=, &task] {
      FiniteModel wrong = model;
      change(wrong, size);
      return second_key_entries(task, wrong);
    };
  };
  const std::vector<Control> controls = {
      {"one entry of W_O2", "W_O2 is zero but for one entry of 1e-3",
       with(1e-3, [](FiniteModel& m, double x) { m.trained.wo2(0, 0) = x; })},
      {"W_O2 = 0.1 W_O2*", "the output memory is there", with(0.1, [](FiniteModel& m, double x) {
         m.trained.wo2 = x * m.frozen.out.transpose() * (m.frozen.tok * m.frozen.wv2.transpose());
       })},
      {"W_O2 = 0.1 I", "W_O2 copies the value", with(0.1, [](FiniteModel& m, double x) { m.trained.wo2.diagonal().array() = x; })},
      {"W_O2 of rank one", "W_O2 reads one position",
       with(1, [](FiniteModel& m, double x) { m.trained.wo2 = x * m.frozen.out.row(0).transpose() * m.frozen.pos.row(0); })}};
  // Budget 0: every term of the gradient has the factor W_O2 = 0, and 0 times a finite number is 0 in floating point too.
  return judge("T3.gate", "finite d, W_K2", task.describe() + " d=" + std::to_string(d), Grade::enumerated,
               second_key_entries(task, model), 0, controls);
}

struct DecayPoint {
  int d;
  double rms, error;  // of log rms
};

// log rms = a + slope log d + b/d: the slope with its standard error. The b/d term takes up the next order of the expansion.
std::pair<double, double> fit_exponent(const std::vector<DecayPoint>& points, bool next_order) {
  const auto rows = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd design(rows, next_order ? 3 : 2);
  Eigen::VectorXd value(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const DecayPoint& p = points[static_cast<std::size_t>(i)];
    design(i, 0) = 1 / p.error;
    design(i, 1) = std::log(p.d) / p.error;
    if (next_order) design(i, 2) = 1 / (p.d * p.error);
    value(i) = std::log(p.rms) / p.error;
  }
  const Eigen::MatrixXd covariance = (design.transpose() * design).inverse();
  const Eigen::VectorXd solution = covariance * (design.transpose() * value);
  return {solution(1), std::sqrt(covariance(1, 1))};
}

Row decay(const ClaimContext& context, const MinimalTask& task) {
  const double constant = leading_constant(task);
  std::vector<DecayPoint> points;
  Series series{"gate_decay", {"d", "rms of the W_K1 gradient", "standard error", "law sqrt(C/d)"}, {}};
  for (const auto& [d, draws] : std::vector<std::pair<int, int>>{{32, 2400}, {64, 1600}, {128, 600}, {256, 160}, {512, 40}}) {
    context.progress("finite d = " + std::to_string(d));
    const Moments difference =
        sample_first_key_gradient(task, d, std::max<std::int64_t>(4, std::llround(draws * context.work)), context.seed);
    const double squared = difference.mean + constant / d, rms = std::sqrt(squared);
    points.push_back({d, rms, difference.standard_error() / (2 * squared)});
    series.rows.push_back({static_cast<double>(d), rms, rms * points.back().error, std::sqrt(constant / d)});
  }
  const auto [slope, error] = fit_exponent(points, true);
  // Five terms of the expansion are not resolved here; the smallest d left out says how much the missing 1/d^2 term can move it.
  const auto [late_slope, late_error] = fit_exponent({points.begin() + 1, points.end()}, true);
  (void)late_error;
  const Budget budget{0, std::abs(slope - late_slope), family_z(context.level, 1) * error};
  const auto against = [slope = slope, budget](double exponent) {
    return std::vector<Entry>{entry("exponent of d", exponent, slope, budget, true)};
  };
  std::vector<Control> controls;
  for (const auto& [name, exponent] : std::vector<std::pair<std::string, double>>{
           {"no decay", 0}, {"d^(-1/4)", -0.25}, {"d^(-3/4)", -0.75}, {"d^(-1)", -1}})
    controls.push_back({name, "another exponent", [=] { return against(exponent); }});
  // Exponents of gradients of this kind are multiples of 1/2 (moments of cross-talk); half of the way to the nearest quarter
  // is the smallest effect that matters.
  Row row = judge("T3.gate", "finite d, W_K1", task.describe() + " d=32..512", Grade::sampled, against(-0.5), 0.125, controls,
                  "raise verify.work");
  row.series.push_back(std::move(series));
  return row;
}

}  // namespace

std::vector<Row> gate_finite(const ClaimContext& context) {
  const MinimalTask task{context.N.value_or(4), context.T.value_or(5), context.background.value_or(Background::any),
                         context.query.value_or(Query::last), {}};
  task.validate();
  std::vector<Row> refused;
  for (const char* part : {"finite d, W_K2", "finite d, W_K1"})
    if (const auto row = too_many_sequences("T3.gate", part, task, 5000)) refused.push_back(*row);
  if (!refused.empty()) return refused;
  return {timed([&] { return second_key(context, task, context.d.value_or(12)); }), timed([&] { return decay(context, task); })};
}

}  // namespace popgrad
