#include "numerics/moment_terms.hpp"

#include <string>
#include <utility>

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
  std::vector<StageTerm> terms;  // moved into, never copied: a map of T = 256 has a third of a million rationals
  const auto add = [&terms](const char* monomial, InvariantMaps<Rational> descent) {
    terms.push_back({monomial, std::move(descent)});
  };
  if (stage == 1) {
    add("1", moment_first_step(task, scale));
    return terms;
  }
  const ValueContrasts value = first_value(task, scale, handoff, blocks);
  if (stage == 2) {
    add(ideal ? "alpha" : "eta1", moment_second_step(task, scale, value));
    return terms;
  }
  // Without an R block in W_O the value path is closed: there is no term without W_K2.
  terms.reserve(stages);
  add(ideal ? "alpha" : "eta1", InvariantMaps<Rational>(task.N, task.T));
  if (!ideal) add("eta1^2", InvariantMaps<Rational>(task.N, task.T));
  const Rational size = ideal ? Rational(1) : Rational(value.token * moment_second_memory(task, scale, value));
  add(ideal ? "alpha*beta" : "eta1^2*eta2", moment_third_step(task, size));
  return terms;
}

}  // namespace popgrad
