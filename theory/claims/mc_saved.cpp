// MC.variance, saved: what stratification and the control variate save at equal work, from small step sizes to large ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "check/statistics.hpp"
#include "numerics/stage_numbers.hpp"
#include "theory/claims/mc_parts.hpp"
#include "theory/claims/support.hpp"

namespace popgrad {
namespace {

// Sizes of the steps. At the first two the claim is made, at the last two nothing is left of the leading order.
const std::vector<double> step_sizes = {0.1, 0.3, 1, 3, 10, 100};
// Required of the engine, not derived: an estimate at small sizes shall cost at most a twentieth. What is found is far beyond.
constexpr double at_least = 20;
// What the control variate may cost where it saves nothing. With the best factors its variance is at most that of the strata, so that it costs
// the two passes a sample that it is charged, and its pilot: two passes for each of the pilot's samples (a twentieth of a replicate's, at
// least 200), shared among the replicates that use it. At 240 samples that is 2 (240 + 200/16)/240 = 2.1. From there to 2.5 is an
// allowance, chosen and not derived, of a fifth more variance for factors that a pilot estimates.
constexpr double price = 2.5;

struct Variances {
  std::vector<double> naive, stratified, control, both;
  double square = 0;  // of the norm of the gradient
};

// A replicate. The naive variance is that of rare sequences (o = q), which is what needs so many.
std::int64_t samples_of(const ClaimContext& context) { return std::max<std::int64_t>(16, std::llround(240 * context.work)); }

Variances measure(const ClaimContext& context, const MinimalTask& task, int stage, double size) {
  const McStart start = mc_start(task, stage, size);
  const std::int64_t samples = samples_of(context);
  const McRun both = mc_run(start, samples, context.seed, true, start.control);
  Variances found{mc_run(start, samples, context.seed, false, std::nullopt).variance(),
                  mc_run(start, samples, context.seed, true, std::nullopt).variance(),
                  mc_run(start, samples, context.seed, false, start.control).variance(), both.variance(), 0};
  InvariantMaps<double> mean(task.N, task.T);
  for (const SampledDescent& estimate : both.replicates) mean.add(1.0 / mc_replicates, estimate.mean);
  for (const double x : numbers_of_maps(mean, stage)) found.square += x * x;
  return found;
}

// log10 of a saving, and its error over the replicates.
LogRatio log10_of(const std::vector<std::vector<double>>& above, const std::vector<std::vector<double>>& below) {
  const LogRatio natural = log_ratio(above, below);
  return {natural.value / std::log(10), natural.error / std::log(10)};
}

struct Statement {
  double least = std::log10(at_least);  // saved at small sizes
  double exponent = -2;                 // of the step size
};

std::vector<Entry> entries(const std::map<double, Variances>& found, const Statement& statement, const ClaimContext& context, bool at_all_sizes,
                           std::vector<double> Variances::*estimator = &Variances::both) {
  std::vector<Entry> list;
  const double t = family_t(context.level, 3.0 * static_cast<double>(step_sizes.size()), mc_replicates - 1);
  const auto bound = [&](const std::string& what, const LogRatio& saved, double least) {
    list.push_back(entry(what, least, std::min(saved.value, least), {0, 0, t * saved.error}, true));
  };
  for (std::size_t i = 0; i < step_sizes.size(); ++i) {
    const Variances& at = found.at(step_sizes[i]);
    const std::string where = fmt::format("size {:g}", step_sizes[i]);
    if (i < 2 || at_all_sizes) bound(where + ": log10 saved, at most that claimed", log10_of({at.naive}, {at.*estimator}), statement.least);
    bound(where + ": log10 gained over the strata, at most -log10 of the price", log10_of({at.stratified}, {at.*estimator}), -std::log10(price));
  }
  // Nothing is left at the largest size: the other sign of the same.
  const Variances& last = found.at(step_sizes.back());
  bound("largest size: log10 lost to the strata, at most 0", log10_of({last.*estimator}, {last.stratified}), -std::log10(2.0));
  const Variances &a = found.at(step_sizes[0]), &b = found.at(step_sizes[1]), &c = found.at(step_sizes[2]);
  const double near = std::log10(step_sizes[1] / step_sizes[0]), far = std::log10(step_sizes[2] / step_sizes[1]);
  const LogRatio fall = log10_of({b.naive, a.*estimator}, {a.naive, b.*estimator}), next = log10_of({c.naive, b.*estimator}, {b.naive, c.*estimator});
  list.push_back(entry("exponent of the saving between the two smallest sizes", statement.exponent, fall.value / near,
                       {0, std::abs(fall.value / near - next.value / far), t * fall.error / near}, true));
  return list;
}

Series series_of(const std::map<double, Variances>& found, int stage) {
  Series series{"variance_saved", {"stage", "alpha = beta", "naive", "stratified", "control variate", "both", "standard error of log10 (naive/both)"}, {}};
  for (const auto& [size, at] : found) {
    const auto mean = [square = at.square](const std::vector<double>& list) {
      double sum = 0;
      for (const double x : list) sum += x;
      return sum / static_cast<double>(list.size()) / square;
    };
    series.rows.push_back({static_cast<double>(stage), size, mean(at.naive), mean(at.stratified), mean(at.control), mean(at.both),
                           log10_of({at.naive}, {at.both}).error});
  }
  return series;
}

}  // namespace

Row mc_saved(const ClaimContext& context, const MinimalTask& task, int stage) {
  const std::string part = "saved, step " + std::to_string(stage);
  constexpr int longest = 48;  // 3e5 passes of O(T^2): about half a minute
  if (task.T > longest)
    return undecided("MC.variance", part, task.describe(), "more passes over long sequences than are made for this row",
                     "choose T up to " + std::to_string(longest));
  std::map<double, Variances> found;
  for (const double size : step_sizes) found.emplace(size, measure(context, task, stage, size));
  // The control variate subtracted with the wrong sign.
  std::map<double, Variances> reversed = found;
  for (std::size_t i = 0; i < 2; ++i) {
    const McStart start = mc_start(task, stage, step_sizes[i]);
    LeadingControl wrong = start.control;
    wrong.factors.assign(count_stage_numbers(task.T, stage), -1.0);
    reversed.at(step_sizes[i]).both = mc_run(start, samples_of(context), context.seed, true, wrong).variance();
  }
  const Statement right;
  const auto with = [&](const Statement& wrong, bool at_all_sizes = false) {
    return [&, wrong, at_all_sizes] { return entries(found, wrong, context, at_all_sizes); };
  };
  const std::vector<Control> controls = {
      {"no control variate", "the strata alone in place of both", [&] { return entries(found, right, context, false, &Variances::stratified); }},
      {"sign of the control variate", "the leading order added instead of subtracted", [&] { return entries(reversed, right, context, false); }},
      {"saves at every size", "the square of what is claimed, at all sizes", with({2 * right.least, right.exponent}, true)},
      {"as 1/size", "the saving falls with the size, not its square", with({right.least, -1})},
      {"as 1/size^3", "the saving falls with the cube of the size", with({right.least, -3})},
      {"the same at all sizes", "the saving does not depend on the size", with({right.least, 0})}};
  // A factor of three in variance is what matters.
  const double effect = std::log10(3.0);
  Row row = judge("MC.variance", part, task.describe() + " alpha=beta=0.1..100", Grade::sampled, entries(found, right, context, false), effect,
                  controls, "raise verify.work");
  row.series.push_back(series_of(found, stage));
  return row;
}

}  // namespace popgrad
