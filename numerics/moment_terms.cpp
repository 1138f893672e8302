#include "numerics/moment_terms.hpp"

#include <string>

#include "core/errors.hpp"
#include "numerics/moment_steps.hpp"
#include "numerics/moment_third.hpp"

namespace popgrad {
namespace {

void check(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  task.validate();
  require(stage >= 1 && stage <= stages, "moment_terms", "stage", "1, 2 or 3", std::to_string(stage));
  require(task.output_weights.empty(), "moment_terms", "labels", "uniform", "weighted");
  if (stage > 1 && task.T > longest_moments)
    throw InputError("-T", std::to_string(task.T),
                     "at most " + std::to_string(longest_moments) + " for moments; --engine montecarlo takes any length");
  if (stage == 3 && handoff == Handoff::actual && blocks == Blocks::full)
    throw InputError("--engine", "moments at stage 3 of an actual hand-off of full blocks",
                     "orbits or exact (small T); moments covers --blocks "
                     "isolated or --handoff ideal there");
}

// W_O that stage 2 starts from, in units of alpha or eta1.
ValueContrasts first_value(const MinimalTask& task, const ReadScale& scale, Handoff handoff, Blocks blocks) {
  if (handoff == Handoff::ideal) return {Rational(1), Rational(0)};
  const InvariantMaps<Rational> step = moment_first_step(task, scale);
  return {step.u(Block::E).contrast(), blocks == Blocks::full ? step.u(Block::R).contrast() : Rational(0)};
}

}  // namespace

std::vector<StageTerm> moment_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  check(task, handoff, blocks, stage);
  const bool ideal = handoff == Handoff::ideal;
  const ReadScale scale(task.T);
  if (stage == 1) return {{"1", moment_first_step(task, scale)}};
  const ValueContrasts value = first_value(task, scale, handoff, blocks);
  if (stage == 2) return {{ideal ? "alpha" : "eta1", moment_second_step(task, scale, value)}};
  // Without an R block in W_O the value path is closed: there is no term without W_K2.
  const InvariantMaps<Rational> zero(task.N, task.T);
  if (ideal) return {{"alpha", zero}, {"alpha*beta", moment_third_step(task, Rational(1))}};
  const Rational memory = moment_second_memory(task, scale, value);
  return {{"eta1", zero}, {"eta1^2", zero}, {"eta1^2*eta2", moment_third_step(task, value.token * memory)}};
}

}  // namespace popgrad
