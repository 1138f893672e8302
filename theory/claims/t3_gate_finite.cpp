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
      {"W_O2 of rank one", "W_O2 = w_U(1) p_1^T",
       with(1, [](FiniteModel& m, double x) { m.trained.wo2 = x * m.frozen.out.row(0).transpose() * m.frozen.pos.row(0); })}};
  // Budget 0: every term of the gradient has the factor W_O2 = 0, and 0 times a finite number is 0 in floating point too.
  return judge("T3.gate", "finite d, W_K2", task.describe() + " d=" + std::to_string(d), Grade::enumerated,
               second_key_entries(task, model), 0, controls);
}

struct DecayPoint {
  int d = 0;
  std::int64_t draws = 0;
  double rms = 0, error = 0;  // error: of log rms
};

std::vector<DecayPoint> measure_decay(const ClaimContext& context, const MinimalTask& task, double share, double remap_power) {
  std::vector<DecayPoint> points;
  for (const auto& [d, draws] : std::vector<std::pair<int, int>>{{32, 1600}, {64, 1600}, {128, 1200}, {256, 700}, {512, 320}}) {
    context.progress("finite d = " + std::to_string(d));
    const auto n = std::max<std::int64_t>(8, std::llround(draws * share * context.work));
    const Moments squared = sample_first_key_gradient(task, d, n, context.seed, remap_power);
    points.push_back({d, n, std::sqrt(squared.mean), squared.standard_error() / (2 * squared.mean)});
  }
  return points;
}

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

// The exponent with the b/d term in the fit. Its budget: sampling by Student's t of the fewest draws; truncation, how far the
// exponent moves when the smallest d, where the term left out (1/d^2) is largest, is left out too.
std::vector<Entry> exponent_entry(const ClaimContext& context, const std::vector<DecayPoint>& points, double predicted) {
  const auto [slope, error] = fit_exponent(points, true);
  const double late = fit_exponent({points.begin() + 1, points.end()}, true).first;
  std::int64_t fewest = points.front().draws;
  for (const DecayPoint& p : points) fewest = std::min(fewest, p.draws);
  const Budget budget{0, std::abs(slope - late), family_t(context.level, 1, static_cast<double>(fewest - 1)) * error};
  return {entry("exponent of d", predicted, slope, budget, true)};
}

Row decay(const ClaimContext& context, const MinimalTask& task) {
  const std::vector<DecayPoint> points = measure_decay(context, task, 1, 0);
  const double constant = leading_constant(task);
  Series series{"gate_decay", {"d", "rms of the W_K1 gradient", "standard error", "law sqrt(C/d)"}, {}};
  for (const DecayPoint& p : points)
    series.rows.push_back({static_cast<double>(p.d), p.rms, p.rms * p.error, std::sqrt(constant / p.d)});
  std::vector<Control> controls;
  for (const auto& [name, exponent] : std::vector<std::pair<std::string, double>>{
           {"no decay", 0}, {"d^(-1/4)", -0.25}, {"d^(-3/4)", -0.75}, {"d^(-1)", -1}})
    controls.push_back({name, "another exponent", [&, exponent = exponent] { return exponent_entry(context, points, exponent); }});
  controls.push_back({"weaker remapping", "the hypothesis of W_V1: shrunk by d^(-1/2), so that the gradient decays as 1/d", [&] {
                        return exponent_entry(context, measure_decay(context, task, 0.1, 0.5), -0.5);
                      }});
  // Exponents of moments of cross-talk are multiples of 1/2, so half of that is the smallest effect that matters; the controls
  // at a distance of 1/4 ask for more.
  Row row = judge("T3.gate", "finite d, W_K1", task.describe() + " d=32..512", Grade::sampled, exponent_entry(context, points, -0.5),
                  0.25, controls, "raise verify.work");
  row.series.push_back(std::move(series));
  return row;
}

}  // namespace

std::vector<Row> gate_finite(const ClaimContext& context) {
  const MinimalTask task{context.N.value_or(5), context.T.value_or(5), context.background.value_or(Background::avoid),
                         context.query.value_or(Query::last), {}};
  task.validate();
  std::vector<Row> refused;
  for (const char* part : {"finite d, W_K2", "finite d, W_K1"})
    if (const auto row = too_many_sequences("T3.gate", part, task, 5000)) refused.push_back(*row);
  if (!refused.empty()) return refused;
  return {timed([&] { return second_key(context, task, context.d.value_or(12)); }), timed([&] { return decay(context, task); })};
}

}  // namespace popgrad
