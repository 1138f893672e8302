// The engine `montecarlo`: stage gradients of the ideal model at any N and T, as estimates with standard errors.
#pragma once
#include <cstdint>
#include <optional>

#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// The control variate: of every sample the leading order of the integrand (LeadingPass at `at`) is subtracted and its exact
// mean added. `at` may differ from the parameters sampled at, the mean must be that at `at`: leading_descent(task, at,
// stage) for short sequences, or sums of exact terms (stage_terms, moment_terms) times their sizes. A wrong mean biases the
// estimate by its error.
struct LeadingControl {
  InvariantMaps<double> at;
  InvariantMaps<double> mean;  // of the stage's map
  // The leading order times this is subtracted, its mean times this added. 1 is right for small steps; at large ones, where
  // the softmaxes saturate and the leading order does not, less is better (fitted_factor).
  double factor = 1;
};

struct SamplingOptions {
  std::int64_t samples = 10000;
  std::uint64_t seed = 1;
  bool stratified = true;
  std::uint64_t substream = 0;  // other samples of the same seed
};

struct SampledDescent {
  InvariantMaps<double> mean;   // estimates of E[-dL/d(map of the stage)]; the other maps are zero
  InvariantMaps<double> error;  // standard errors, entry by entry, >= 0
  std::int64_t samples = 0;     // at least two in each stratum, so a few more than asked for
};

// E[-grad of the cross-entropy at the second trigger] with respect to the map of `stage` (1 W_O, 2 W_K2, 3 W_K1) at `maps`,
// stratified over tau and over o = q (numerics/stage_strata.hpp); a stratified estimate is unbiased and so is the square of
// its standard error. Samples are keyed by (seed, Purpose::stage_gradient, number), sums have a fixed order: the same bits
// for any number of threads. O(T^2) a sample. HypothesisError unless 1 <= stage <= 3, samples >= 2, labels are uniform and
// all maps have the task's N and T.
SampledDescent sample_descent(const MinimalTask& task, const InvariantMaps<double>& maps, int stage,
                              const SamplingOptions& options, const std::optional<LeadingControl>& control = std::nullopt);

// The factor that minimizes the sum of the variances of all entries, Cov/Var, from a pilot of samples/20 (at least 200) on
// substream 1: independent of the samples it is used with, so the estimate stays unbiased. Kept in [0,1], so that a pilot
// with fewer strata cannot extrapolate; 1 if the leading order does not vary. Costs three pilots.
double fitted_factor(const MinimalTask& task, const InvariantMaps<double>& maps, int stage, const SamplingOptions& options,
                     const LeadingControl& control);

}  // namespace popgrad
