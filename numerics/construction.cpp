#include "numerics/construction.hpp"

#include <cmath>
#include <optional>
#include <string>

#include "core/errors.hpp"
#include "core/moments.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/stage_sampler.hpp"

namespace popgrad {
namespace {

Wanted only(int stage) { return {stage == 1, stage == 2, stage == 3}; }

bool zero(const InvariantBlock<double>& block) {
  if (block.contrast() != 0) return false;
  for (const double x : block.entries)
    if (x != 0) return false;
  return true;
}

// Nothing acts but (U,E) and (E,R): of token-token blocks the contrast alone does, and blocks with a position output do not.
bool memories_alone(const InvariantMaps<double>& maps) {
  if (!zero(maps.u(Block::R))) return false;
  for (const Block query : all_blocks)
    for (const Block key : all_blocks)
      if (!(query == Block::E && key == Block::R) && !zero(maps.k2(query, key))) return false;
  for (const InvariantBlock<double>& block : maps.wk1)
    if (!zero(block)) return false;
  return true;
}

double signal(const InvariantBlock<double>& block, int T, int t) {
  const auto at = [&](int s) { return block.entries[static_cast<std::size_t>(t * T + s)]; };
  double others = 0;
  for (int s = 1; s < t - 1; ++s) others += at(s);
  return at(t - 1) - (t > 2 ? others / (t - 2) : at(0));
}

}  // namespace

Construction::Construction(const MinimalTask& task, Handoff handoff, Blocks blocks, const ConstructionOptions& options)
    : task_(task), handoff_(handoff), blocks_(blocks), options_(options) {
  task_.validate();
  require(task_.output_weights.empty(), "Construction", "labels", "uniform", "weighted");
  if (handoff_ == Handoff::ideal) return;
  const auto terms = [&](Handoff from, int stage) { return moment_terms(task_, from, Blocks::full, stage); };
  first_ = in_doubles(terms(Handoff::actual, 1).front().descent);
  second_by_token_ = in_doubles(terms(Handoff::ideal, 2).front().descent);
  // The coefficient of eta1 is linear in the two contrasts of the first step.
  second_by_remapped_ = in_doubles(terms(Handoff::actual, 2).front().descent);
  second_by_remapped_.add(-first_.u(Block::E).contrast(), second_by_token_);
  InvariantMaps<double> scaled(task_.N, task_.T);
  scaled.add(1 / first_.u(Block::R).contrast(), second_by_remapped_);
  second_by_remapped_ = scaled;
  const auto third = terms(Handoff::ideal, 3);
  third_ = in_doubles(third.back().descent);
  third_by_token_ = in_doubles(third.front().descent);
}

InvariantMaps<double> Construction::step(int stage, const InvariantMaps<double>& start, int replicate) const {
  require(stage >= 1 && stage <= stages, "Construction::step", "stage", "1, 2 or 3", std::to_string(stage));
  if (handoff_ == Handoff::ideal) return isolate(invariant_memories<double>(task_.N, task_.T), stage);
  const auto kept = [&](const InvariantMaps<double>& maps) { return blocks_ == Blocks::isolated ? isolate(maps, stage) : maps; };
  if (stage == 1) return kept(first_);
  if (exact()) return kept(orbit_descent(task_, start, only(stage)));
  SamplingOptions sampling;
  sampling.samples = options_.gradient_samples;
  sampling.seed = options_.seed;
  // Substream 1 is the pilot's (fitted_factors); each stage and replicate has its own.
  sampling.substream = 4 * static_cast<std::uint64_t>(replicate) + static_cast<std::uint64_t>(stage);
  const double token = start.u(Block::E).contrast(), remapped = start.u(Block::R).contrast();
  std::optional<LeadingControl> control;
  if (stage == 2) {
    control = LeadingControl{start, InvariantMaps<double>(task_.N, task_.T)};
    control->mean.add(token, second_by_token_);
    control->mean.add(remapped, second_by_remapped_);
  } else if (memories_alone(start)) {
    control = LeadingControl{start, InvariantMaps<double>(task_.N, task_.T)};
    control->mean.add(token, third_by_token_);
    control->mean.add(token * start.k2(Block::E, Block::R).contrast(), third_);
  }
  if (control) control->factors = fitted_factors(task_, start, stage, sampling, *control);
  return kept(sample_descent(task_, start, stage, sampling, control).mean);
}

MapsAfterSteps Construction::after_steps(const StageSizes& sizes, int replicate) const {
  const std::array<double, stages> size = {sizes.first, sizes.second, sizes.third};
  MapsAfterSteps maps;
  maps[0] = InvariantMaps<double>(task_.N, task_.T);
  for (int stage = 1; stage <= stages; ++stage) {
    const auto s = static_cast<std::size_t>(stage);
    maps[s] = maps[s - 1];
    if (size[s - 1] != 0) maps[s].add(size[s - 1], step(stage, maps[s - 1], replicate));
  }
  return maps;
}

Answer Construction::answer(const InvariantMaps<double>& maps, int replicate) const {
  AnswerOptions options;
  options.samples = options_.samples;
  options.seed = options_.seed;
  options.substream = static_cast<std::uint64_t>(replicate);
  options.longest_sum = options_.longest_sum;
  return popgrad::answer(task_, maps, options);
}

std::array<Answer, stages + 1> Construction::answers(const StageSizes& sizes, int replicates, int first_replicate) const {
  require(replicates >= 1, "Construction::answers", "replicates", "at least 1", std::to_string(replicates));
  if (exact()) replicates = 1;
  std::array<Answer, stages + 1> mean;
  std::array<Moments, stages + 1> scatter;
  for (int replicate = 0; replicate < replicates; ++replicate) {
    const MapsAfterSteps maps = after_steps(sizes, first_replicate + replicate);
    for (std::size_t s = 0; s < maps.size(); ++s) {
      const Answer one = answer(maps[s], first_replicate + replicate);
      scatter[s].add(one.accuracy);
      mean[s].margin += one.margin / replicates;
      mean[s].tied += one.tied / replicates;
      mean[s].error = std::hypot(mean[s].error, one.error / replicates);
      mean[s].samples += one.samples;
      mean[s].exact = one.exact;
    }
  }
  for (std::size_t s = 0; s < mean.size(); ++s) {
    mean[s].accuracy = scatter[s].mean;
    if (replicates > 1) mean[s].error = std::max(mean[s].error, scatter[s].standard_error());
  }
  return mean;
}

StageSizes Construction::unit_sizes() const {
  if (handoff_ == Handoff::ideal) return {1, 1, 1};
  const double second = second_by_token_.k2(Block::E, Block::R).contrast();
  const double third = signal(third_.k1(Block::P, Block::P), task_.T, task_.T - 2);
  return {1 / first_.u(Block::E).contrast(), 1 / std::abs(second), 1 / std::abs(third)};
}

std::array<Answer, stages + 1> answers_after_steps(const MinimalTask& task, Handoff handoff, Blocks blocks, const StageSizes& sizes,
                                                   const ConstructionOptions& options, int replicates) {
  return Construction(task, handoff, blocks, options).answers(sizes, replicates);
}

}  // namespace popgrad
