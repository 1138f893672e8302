// The engine `montecarlo`: stage gradients of the ideal model at any N and T, as estimates with standard errors.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

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
  // Entry by entry, the leading order times this is subtracted, its mean times this added. 1, which an empty list means, is
  // right for small steps; at large ones, where the softmaxes saturate and the leading order does not, less is better
  // (fitted_factors).
  std::vector<double> factors = {};
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
// for any number of threads. O(T^2) a sample. HypothesisError unless 1 <= stage <= 3, samples >= 2, labels are uniform,
// all maps have the task's N and T, and the factors are none or as many as fitted_factors gives.
SampledDescent sample_descent(const MinimalTask& task, const InvariantMaps<double>& maps, int stage,
                              const SamplingOptions& options, const std::optional<LeadingControl>& control = std::nullopt);

// Samples that fitted_factors takes for a run with these options.
std::int64_t pilot_samples(const MinimalTask& task, const SamplingOptions& options);

// For each entry the factor that minimizes its variance, Cov/Var over the strata of the run, from a pilot of samples/20 (at
// least 200, and two in each stratum) on substream 1: independent of the samples it is used with, so the estimate stays
// unbiased. Kept in [0,1], beyond which a pilot would extrapolate; 1 where the leading order does not vary.
std::vector<double> fitted_factors(const MinimalTask& task, const InvariantMaps<double>& maps, int stage,
                                   const SamplingOptions& options, const LeadingControl& control);

}  // namespace popgrad
