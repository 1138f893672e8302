// Means over seeds behind the figures of the empirical claims.
#include <algorithm>
#include <limits>

#include "check/over_seeds.hpp"
#include "theory/claims/emp_parts.hpp"

namespace popgrad {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Mean over seeds and the ends of its 95 % interval by Student's t; without an interval for one seed alone.
void add_mean(std::vector<double>& row, const std::vector<double>& values) {
  const MeanOverSeeds over = mean_over_seeds(values, 0.95);
  row.insert(row.end(), {over.mean, over.limits ? over.limits->low : nothing, over.limits ? over.limits->high : nothing});
}

// By evaluation, the values of those runs that were evaluated there (a run that diverged is not).
template <class Value>
std::vector<double> at(const std::vector<RunCurve>& curves, std::size_t evaluation, Value value) {
  std::vector<double> list;
  for (const RunCurve& curve : curves)
    if (evaluation < curve.metrics.size()) list.push_back(value(curve, evaluation));
  return list;
}

std::size_t evaluations(const std::vector<RunCurve>& curves) {
  std::size_t most = 0;
  for (const RunCurve& curve : curves) most = std::max(most, curve.metrics.size());
  return most;
}

double step_of(const std::vector<RunCurve>& curves, std::size_t evaluation) {
  for (const RunCurve& curve : curves)
    if (evaluation < curve.metrics.size()) return static_cast<double>(curve.metrics[evaluation].step);
  return nothing;
}

std::vector<std::string> columns(std::vector<std::string> first, const std::vector<std::string>& quantities) {
  for (const std::string& quantity : quantities)
    for (const char* part : {"", ", low", ", high"}) first.push_back(quantity + part);
  return first;
}

}  // namespace

Series figure3_series(const EmpSizes& sizes, const EmpRuns& runs) {
  Series series{"figure3", columns({"W_O2 frozen until", "step"}, {"accuracy", "R(W_O2)", "R(W_K2)", "R(W_K1)"}), {}};
  for (const EmpSetting setting : {EmpSetting::head, EmpSetting::frozen}) {
    if (!runs.contains(setting)) continue;
    const std::vector<RunCurve>& curves = runs.at(setting);
    for (std::size_t e = 0; e < evaluations(curves); ++e) {
      std::vector<double> row = {setting == EmpSetting::frozen ? static_cast<double>(sizes.release) : 0.0, step_of(curves, e)};
      for (const auto& probe : {emp_accuracy, emp_wo2, emp_wk2, emp_wk1})
        add_mean(row, at(curves, e, [&](const RunCurve& curve, std::size_t i) { return probe(curve.metrics[i]).value; }));
      series.rows.push_back(std::move(row));
    }
  }
  return series;
}

Series figure4_series(const EmpSizes& sizes, const EmpRuns& runs) {
  Series series{"figure4", columns({"random triggers", "bigram outputs", "K", "offset", "step"}, {"accuracy", "accuracy, uniform outputs", "accuracy, bigram outputs", "KL to the bigram law"}), {}};
  for (const auto& [setting, curves] : runs) {
    const BigramTask law = emp_options(sizes, setting, 0).bigram;
    for (std::size_t e = 0; e < evaluations(curves); ++e) {
      std::vector<double> row = {law.triggers == Triggers::random ? 1.0 : 0.0, law.outputs == Outputs::bigram ? 1.0 : 0.0,
                                 static_cast<double>(law.K), static_cast<double>(law.offset), step_of(curves, e)};
      add_mean(row, at(curves, e, [](const RunCurve& c, std::size_t i) { return c.metrics[i].accuracy.value; }));
      for (const std::size_t law : {std::size_t{0}, std::size_t{1}})
        add_mean(row, at(curves, e, [&](const RunCurve& c, std::size_t i) { return c.tests.at(law)[i].value; }));
      add_mean(row, at(curves, e, [](const RunCurve& c, std::size_t i) { return c.metrics[i].kl.value().value; }));
      series.rows.push_back(std::move(row));
    }
  }
  return series;
}

}  // namespace popgrad
