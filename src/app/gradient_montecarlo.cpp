#include "app/gradient_montecarlo.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "app/gradient_blocks.hpp"
#include "numerics/leading_pass.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/stage_sampler.hpp"

namespace popgrad {
namespace {

// Beyond it sums over orbits take longer than the samples.
constexpr int longest_sum = 9;

std::int64_t samples_of(const GradientRequest& request) { return request.draws > 0 ? request.draws : 20000; }

bool second_step_needed(const GradientRequest& request) { return request.handoff == Handoff::actual && request.stage == 3; }

// The first step is at zero, where the leading order is all there is.
InvariantMaps<double> start_of(const GradientRequest& request) {
  if (request.handoff == Handoff::ideal || second_step_needed(request) || request.stage == 1)
    return stage_start(request.task, request.handoff, request.blocks, request.stage, request.sizes);
  InvariantMaps<double> first = in_doubles(moment_terms(request.task, Handoff::actual, request.blocks, 1).front().descent);
  if (request.blocks == Blocks::isolated) first = isolate(first, 1);
  InvariantMaps<double> start(request.task.N, request.task.T);
  start.add(request.sizes.first, first);
  return start;
}

// What the leading order at `start` averages to: by moments, or over orbits where they are few; otherwise there is no
// control variate.
std::optional<LeadingControl> control_of(const GradientRequest& request, const InvariantMaps<double>& start) {
  if (request.map() == request.stage && !second_step_needed(request) && request.task.T <= longest_moments) {
    LeadingControl control{start, InvariantMaps<double>(request.task.N, request.task.T)};
    for (const StageTerm& term : moment_terms(request.task, request.handoff, request.blocks, request.stage)) {
      const double size = term.monomial == "1"            ? 1
                          : term.monomial == "alpha*beta" ? request.sizes.first * request.sizes.second
                                                          : request.sizes.first;
      control.mean.add(size, in_doubles(term.descent));
    }
    return control;
  }
  if (request.task.T > longest_sum) return std::nullopt;
  return LeadingControl{start, leading_descent(request.task, start, request.map())};
}

void put_errors(Number& number, const Number& error) { number.se = error.value; }

}  // namespace

std::string montecarlo_limits(const GradientRequest& request) {
  if (request.d) return "--engine enumerate with -d, or none";
  if (request.order == Order::leading) return "--order full: to leading order --engine moments or exact needs no samples";
  return second_step_needed(request) && request.task.T > 12 ? "-T 12 at most after two actual steps, or --handoff ideal"
                                                            : "";
}

Cost montecarlo_cost(const GradientRequest& request) {
  const std::int64_t samples = samples_of(request);
  return {readable_count(static_cast<double>(samples)) + " samples",
          montecarlo_seconds(request, samples, second_step_needed(request))};
}

GradientResult run_montecarlo(const GradientRequest& request, const GradientProgress&) {
  const InvariantMaps<double> start = start_of(request);
  SamplingOptions options;
  options.samples = samples_of(request);
  options.seed = request.seed;
  std::optional<LeadingControl> control = control_of(request, start);
  std::string how = "no control variate";
  if (control) {
    control->factors = fitted_factors(request.task, start, request.map(), options, *control);
    const auto [least, most] = std::ranges::minmax(control->factors);
    how = fmt::format("leading order as control variate, factors {:.3g} to {:.3g}", least, most);
  }
  const SampledDescent sampled = sample_descent(request.task, start, request.map(), options, control);
  std::vector<GradientBlock> blocks = blocks_of(sampled.mean, request.map());
  const std::vector<GradientBlock> errors = blocks_of(sampled.error, request.map());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    GradientBlock& block = blocks[b];
    if (block.kind == BlockKind::token_token) {
      put_errors(block.diag, errors[b].diag);
      put_errors(block.off, errors[b].off);
      block.contrast = difference(block.diag, block.off);
    }
    for (std::size_t i = 0; i < block.entries.size(); ++i) put_errors(block.entries[i], errors[b].entries[i]);
  }
  return {"montecarlo", Grade::sampled, how, sampled.samples, {{"full", std::move(blocks)}}};
}

}  // namespace popgrad
