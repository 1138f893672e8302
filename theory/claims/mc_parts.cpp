#include "theory/claims/mc_parts.hpp"

#include "core/rational.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/stage_numbers.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {
McStart mc_start(const MinimalTask& task, int stage, double size) {
  McStart start{task, stage, size, stage_start(task, Handoff::ideal, Blocks::full, stage, {size, size, 0}), {}};
  start.control = {start.maps, InvariantMaps<double>(task.N, task.T)};
  for (const StageTerm& term : moment_terms(task, Handoff::ideal, Blocks::full, stage))
    start.control.mean.add(term.monomial == "alpha*beta" ? size * size : size, in_doubles(term.descent));
  return start;
}

std::vector<double> McRun::variance() const {
  std::vector<double> list;
  for (const SampledDescent& estimate : replicates) {
    double sum = 0;
    for (const double error : numbers_of_maps(estimate.error, stage)) sum += error * error;
    list.push_back(passes * sum);
  }
  return list;
}

McRun mc_run(const McStart& start, std::int64_t samples, std::uint64_t seed, bool stratified, const std::optional<LeadingControl>& control) {
  McRun run{start.stage, {}, 0};
  SamplingOptions options{samples, seed, stratified, 1};
  std::optional<LeadingControl> with = control;
  double pilot = 0;
  if (with && with->factors.empty()) {
    with->factors = fitted_factors(start.task, start.maps, start.stage, options, *with);
    pilot = 2.0 * static_cast<double>(pilot_samples(start.task, options)) / mc_replicates;
  }
  for (int replicate = 0; replicate < mc_replicates; ++replicate) {
    options.substream = static_cast<std::uint64_t>(2 + replicate);  // 1 is the pilot's
    run.replicates.push_back(sample_descent(start.task, start.maps, start.stage, options, with));
  }
  run.passes = static_cast<double>(run.replicates.front().samples) * (with ? 2 : 1) + pilot;
  return run;
}

}  // namespace popgrad
