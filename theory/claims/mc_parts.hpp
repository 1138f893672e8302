// The Monte Carlo engine in the four ways that MC.variance compares. Internal to theory/claims.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/minimal_task.hpp"
#include "numerics/stage_sampler.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

// Replicates on independent samples: their scatter is the error of whatever is made of them, without a formula for it.
inline constexpr int mc_replicates = 16;

// An ideal hand-off with alpha = beta = size, and the leading order with its exact mean from joint laws of a few tokens.
struct McStart {
  MinimalTask task;
  int stage = 2;
  double size = 1;
  InvariantMaps<double> maps;
  LeadingControl control;
};
McStart mc_start(const MinimalTask& task, int stage, double size);

struct McRun {
  int stage = 2;
  std::vector<SampledDescent> replicates;
  double passes = 0;  // over a sequence, a replicate: one a sample, two with the control variate, and its share of the pilot's two a sample
  // Variance of all entries together, replicate by replicate, of an estimate bought with one pass.
  std::vector<double> variance() const;
};
// `control` empty: none. With empty factors they are fitted by a pilot that all replicates share.
McRun mc_run(const McStart& start, std::int64_t samples, std::uint64_t seed, bool stratified, const std::optional<LeadingControl>& control);

// The rows of MC.variance.
Row mc_unbiased(const ClaimContext& context, const MinimalTask& task, int stage);
Row mc_saved(const ClaimContext& context, const MinimalTask& task, int stage);

}  // namespace popgrad
