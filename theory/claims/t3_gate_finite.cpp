// T3.gate (d): the gate at finite d, where the residual stream reaches the logits without W_O2.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check/statistics.hpp"
#include "numerics/finite_population.hpp"
#include "numerics/gate_decay.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_gate_parts.hpp"
#include "theory/formulas/gate.hpp"

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
  Moments squared;  // ||dL/dW_K1||_F^2 over embedding draws
  double relative_error() const { return squared.standard_error() / squared.mean; }
};

std::vector<DecayPoint> measure_decay(const ClaimContext& context, const MinimalTask& task, double share, double remap_power) {
  std::vector<DecayPoint> points;
  for (const int d : {32, 64, 128, 256, 512, 1024, 2048}) {
    context.progress("finite d = " + std::to_string(d));
    const auto draws = std::max<std::int64_t>(32, std::llround(2000 * share * context.work));
    points.push_back({d, sample_first_key_gradient(task, d, draws, context.seed, remap_power)});
  }
  return points;
}

// A coefficient of a weighted fit to all points, with its budget: sampling by Student's t of the draws, widened by the misfit where
// residuals exceed their errors; truncation, how far it moves when the smallest d, where the terms left out are largest, is left out too (an
// estimate from the same data, so with few draws mostly noise).
Entry fitted(const ClaimContext& context, const std::string& name, double predicted,
             const std::function<Fit(const std::vector<DecayPoint>&)>& fit, std::size_t which, const std::vector<DecayPoint>& points) {
  const Fit all = fit(points);
  const double late = fit({points.begin() + 1, points.end()}).coefficient[which];
  const double degrees = static_cast<double>(points.size() - all.coefficient.size());
  const double widen =
      family_t(context.level, 1, static_cast<double>(points.front().squared.count - 1)) * std::sqrt(std::max(1.0, all.chi2 / degrees));
  return entry(name, predicted, all.coefficient[which],
               Budget{0, std::abs(all.coefficient[which] - late), widen * all.error[which]}, true);
}

// log rms = a + slope log d + b/d; the b/d term takes up the next order of the expansion.
Fit fit_exponent(const std::vector<DecayPoint>& points) {
  std::vector<double> one, logarithm, next, value, error;
  for (const DecayPoint& p : points) {
    one.push_back(1);
    logarithm.push_back(std::log(p.d));
    next.push_back(1.0 / p.d);
    value.push_back(std::log(p.squared.mean) / 2);
    error.push_back(p.relative_error() / 2);
  }
  return fit_linear({one, logarithm, next}, value, error);
}

// d times the mean square = C + b/d + c/d^2.
Fit fit_constant(const std::vector<DecayPoint>& points) {
  std::vector<double> one, next, second, value, error;
  for (const DecayPoint& p : points) {
    one.push_back(1);
    next.push_back(1.0 / p.d);
    second.push_back(1.0 / p.d / p.d);
    value.push_back(p.d * p.squared.mean);
    error.push_back(p.d * p.squared.standard_error());
  }
  return fit_linear({one, next, second}, value, error);
}

Row exponent(const ClaimContext& context, const MinimalTask& task, const std::vector<DecayPoint>& points) {
  const auto against = [&](const std::vector<DecayPoint>& measured, double predicted) {
    return std::vector<Entry>{fitted(context, "exponent of d", predicted, fit_exponent, 1, measured)};
  };
  std::vector<Control> controls;
  for (const auto& [name, wrong] : std::vector<std::pair<std::string, double>>{
           {"no decay", 0}, {"d^(-1/4)", -0.25}, {"d^(-3/4)", -0.75}, {"d^(-1)", -1}})
    controls.push_back({name, "another exponent", [&, wrong = wrong] { return against(points, wrong); }});
  controls.push_back({"weaker remapping", "the hypothesis of W_V1: shrunk by d^(-1/2), so that the gradient decays as 1/d",
                      [&] { return against(measure_decay(context, task, 0.1, 0.5), -0.5); }});
  // The nearest controls are 1/4 away; the budget must not reach half as far.
  return judge("T3.gate", "finite d, W_K1", task.describe() + " d=32..2048", Grade::sampled, against(points, -0.5), 0.125, controls,
               "raise verify.work");
}

Row constant(const ClaimContext& context, const MinimalTask& task, const std::vector<DecayPoint>& points) {
  const Bindings at = {{"N", task.N}, {"T", task.T}};
  const double right = gate_decay_constant(task.background).evaluate(at), positions = gate_decay_constant_positions().evaluate(at);
  const auto against = [&](double predicted) {
    return [&, predicted] {
      return std::vector<Entry>{fitted(context, "C / its prediction", predicted / right, [&](const std::vector<DecayPoint>& measured) {
        Fit fit = fit_constant(measured);
        fit.coefficient[0] /= right;
        fit.error[0] /= right;
        return fit;
      }, 0, points)};
    };
  };
  const std::vector<Control> controls = {
      {"factor 1.1", "ten per cent too large", against(1.1 * right)},
      {"factor 0.9", "ten per cent too small", against(0.9 * right)},
      {"cross-talk 2/d", "cross-talk of twice the variance", against(2 * right)},
      {"positions left out", "W_O1 W_V1 p_t = 0: no cross-talk of remapped positions", against(right - positions)},
      {"tokens left out", "W_O1 W_V1 w_E(k) = 0: no cross-talk of remapped tokens", against(positions)}};
  const std::vector<Entry> list = against(right)();
  return judge("T3.gate", "finite d, W_K1, constant", task.describe() + " d=32..2048", Grade::sampled, list, default_effect(list),
               controls, "raise verify.work");
}

std::vector<Row> decay(const ClaimContext& context, const MinimalTask& task) {
  std::vector<DecayPoint> points;
  std::vector<Row> rows = {timed([&] {
    points = measure_decay(context, task, 1, 0);
    return exponent(context, task, points);
  })};
  const bool closed = task.query == Query::last;
  rows.push_back(closed ? timed([&] { return constant(context, task, points); })
                        : not_applicable("T3.gate", "finite d, W_K1, constant", task.describe(),
                                         "query = last (the closed form is for one length)"));
  const double law = closed ? gate_decay_constant(task.background).evaluate({{"N", task.N}, {"T", task.T}})
                            : std::numeric_limits<double>::quiet_NaN();
  Series series{"gate_decay", {"d", "rms of the W_K1 gradient", "standard error", "law sqrt(C/d)"}, {}};
  for (const DecayPoint& p : points) {
    const double rms = std::sqrt(p.squared.mean);
    series.rows.push_back({static_cast<double>(p.d), rms, rms * p.relative_error() / 2, std::sqrt(law / p.d)});
  }
  rows.front().series.push_back(std::move(series));
  return rows;
}

}  // namespace

std::vector<Row> gate_finite(const ClaimContext& context) {
  const MinimalTask task{context.N.value_or(5), context.T.value_or(5), context.background.value_or(Background::avoid),
                         context.query.value_or(Query::last), {}};
  task.validate();
  std::vector<Row> refused;
  for (const char* part : {"finite d, W_K2", "finite d, W_K1", "finite d, W_K1, constant"})
    if (const auto row = too_many_sequences("T3.gate", part, task, 5000)) refused.push_back(*row);
  if (!refused.empty()) return refused;
  std::vector<Row> rows = decay(context, task);
  rows.insert(rows.begin(), timed([&] { return second_key(context, task, context.d.value_or(12)); }));
  return rows;
}

}  // namespace popgrad
