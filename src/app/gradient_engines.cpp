#include "app/gradient_engines.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gradient_blocks.hpp"
#include "app/gradient_coefficients.hpp"
#include "app/gradient_montecarlo.hpp"
#include "core/errors.hpp"
#include "numerics/certified_descent.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/stage_enumeration.hpp"

namespace popgrad {
namespace {

Wanted wanted(const GradientRequest& request) { return {request.map() == 1, request.map() == 2, request.map() == 3}; }

std::string only_ideal(const GradientRequest& request) { return request.d ? "--engine enumerate with -d, or none" : ""; }

std::string only_leading(const GradientRequest& request) {
  if (request.d) return only_ideal(request);
  return request.order == Order::full ? "--order leading: the full softmax is not rational" : "";
}

// Engines that print the leading terms at one N and no other coefficients.
std::string one_N_leading(const GradientRequest& request) {
  if (request.degree) return "--engine exact, or no --degree";
  if (request.symbolic) return "--engine exact or moments, or no --symbolic";
  return only_ideal(request);
}

std::vector<GradientTerm> one_term(std::vector<GradientBlock> blocks) { return {{"full", std::move(blocks)}}; }

// --- sums over orbits

std::string orbits_of(const MinimalTask& task) { return readable_count(count_orbits(task)) + " orbits"; }

// Taylor coefficients up to a degree, at stage 3 along rays: the work of a product of series grows with its square.
double taylor_seconds(const GradientRequest& request) {
  const bool ideal = request.handoff == Handoff::ideal;
  const double square = *request.degree * *request.degree;
  const double each = request.stage < 3 ? 1e-4 + (ideal ? 1e-5 : 1.5e-5) * square
                                        : (ideal ? 1.4e-5 : 5e-5) * square * taylor_rays(request.handoff, *request.degree);
  return count_orbits(request.task) * each * std::pow(request.task.T / 8.0, 2);
}

Cost orbits_cost(const GradientRequest& request) {
  Cost cost{orbits_of(request.task), request.order == Order::full ? orbits_seconds(request)
                                     : request.degree             ? taylor_seconds(request)
                                                                  : exact_seconds(request)};
  if (request.task.T > longest_orbits) cost.seconds = std::max(cost.seconds, 2 * longest_gradient);
  return cost;
}

std::vector<StageTerm> terms_at(const GradientRequest& request, const MinimalTask& task) {
  return request.degree ? taylor_terms(task, request.handoff, request.blocks, request.stage, *request.degree)
                        : stage_terms(task, request.handoff, request.blocks, request.stage);
}

std::vector<GradientTerm> orbit_terms(const GradientRequest& request) {
  return coefficient_terms(request, [&](const MinimalTask& task) { return terms_at(request, task); });
}

Cost exact_cost(const GradientRequest& request) { return coefficient_cost(request, orbits_cost); }

InvariantMaps<double> start_of(const GradientRequest& request) {
  return stage_start(request.task, request.handoff, request.blocks, request.stage, request.sizes);
}

InvariantMaps<RunningError> with_running_error(const InvariantMaps<double>& maps) {
  InvariantMaps<RunningError> tracked(maps.N, maps.T);
  const auto copy = [](auto& to, const auto& from) {
    for (std::size_t b = 0; b < from.size(); ++b) {
      to[b].diag = from[b].diag;
      to[b].off = from[b].off;
      to[b].entries.assign(from[b].entries.begin(), from[b].entries.end());
    }
  };
  copy(tracked.wo, maps.wo);
  copy(tracked.wk2, maps.wk2);
  copy(tracked.wk1, maps.wk1);
  return tracked;
}

GradientResult run_exact(const GradientRequest& request, const GradientProgress&) {
  return {"exact", Grade::exact, coefficient_work(request, orbits_of(request.task)), 0, orbit_terms(request)};
}

GradientResult run_orbits(const GradientRequest& request, const GradientProgress&) {
  if (request.order == Order::leading) return {"orbits", Grade::exact, orbits_of(request.task), 0, orbit_terms(request)};
  const InvariantMaps<RunningError> descent =
      orbit_descent(request.task, with_running_error(start_of(request)), wanted(request));
  return {"orbits", Grade::enumerated, orbits_of(request.task), 0, one_term(blocks_of(descent, request.map()))};
}

// --- orbits in interval arithmetic

std::string only_full(const GradientRequest& request) {
  if (request.d) return only_ideal(request);
  return request.order == Order::leading ? "--order full: to leading order --engine exact needs no enclosures" : "";
}

Cost certified_cost(const GradientRequest& request) {
  Cost cost = orbits_cost(request);
  cost.seconds = std::max(cost.seconds, certified_seconds(request));
  return cost;
}

GradientResult run_certified(const GradientRequest& request, const GradientProgress&) {
  const InvariantMaps<Interval> start =
      certified_start(request.task, request.handoff, request.blocks, request.stage, request.sizes);
  return {"certified", Grade::certified, orbits_of(request.task), 0,
          one_term(blocks_of(certified_descent(request.task, start, wanted(request)), request.map()))};
}

// --- joint laws of a few tokens

std::string moments_limits(const GradientRequest& request) {
  const bool third = request.stage == 3 && request.handoff == Handoff::actual && request.blocks == Blocks::full;
  if (third) return "--engine exact: joint laws of a few tokens do not reach stage 3 after full steps";
  return request.degree ? "--engine exact, or no --degree" : only_leading(request);
}

Cost moments_cost_at_one_N(const GradientRequest& request) {
  Cost cost{"joint laws of a few tokens", moments_seconds(request)};
  if (request.task.T > longest_moments) cost = {readable_count(request.task.T) + " positions", 2 * longest_gradient};
  return cost;
}

Cost moments_cost(const GradientRequest& request) { return coefficient_cost(request, moments_cost_at_one_N); }

GradientResult run_moments(const GradientRequest& request, const GradientProgress&) {
  const auto terms = [&](const MinimalTask& task) {
    return moment_terms(task, request.handoff, request.blocks, request.stage);
  };
  return {"moments", Grade::exact, coefficient_work(request, "joint laws of a few tokens"), 0,
          coefficient_terms(request, terms)};
}

// --- every sequence

std::string sequences_of(const MinimalTask& task) { return readable_count(count_sequences(task)) + " sequences"; }

std::int64_t draws_of(const GradientRequest& request) { return request.draws > 0 ? request.draws : 32; }

Cost enumerate_cost(const GradientRequest& request) {
  if (request.d)
    return {sequences_of(request.task) + " for each of " + readable_count(static_cast<double>(draws_of(request))) + " draws",
            finite_seconds(request, draws_of(request))};
  Cost cost{sequences_of(request.task), enumerate_seconds(request)};
  // Where an actual hand-off at full order starts is a sum over orbits.
  if (request.task.T > longest_orbits) cost.seconds = std::max(cost.seconds, 2 * longest_gradient);
  return cost;
}

template <class S>
std::vector<BlockSummary<S>> summaries(const IdealMaps<S>& maps, int map) {
  return map == 1 ? summarize_wo(maps) : map == 2 ? summarize_wk2(maps) : summarize_wk1(maps);
}

GradientResult run_finite(const GradientRequest& request, const GradientProgress& progress) {
  FiniteStage stage;
  stage.task = request.task;
  stage.handoff = request.handoff;
  stage.blocks = request.blocks;
  stage.stage = request.stage;
  stage.sizes = request.sizes;
  stage.map = request.map() == 1 ? Map::wo2 : request.map() == 2 ? Map::wk2 : Map::wk1;
  stage.d = *request.d;
  stage.draws = draws_of(request);
  stage.seed = request.seed;
  const auto blocks = sample_finite_stage(stage, [&](std::int64_t done) { progress(done, stage.draws, "draw"); });
  return {"enumerate", Grade::sampled, sequences_of(request.task) + " a draw", stage.draws, one_term(blocks_of(blocks))};
}

GradientResult run_enumerate(const GradientRequest& request, const GradientProgress& progress) {
  if (request.d) return run_finite(request, progress);
  GradientResult result{"enumerate", Grade::exact, sequences_of(request.task), 0, {}};
  if (request.order == Order::leading) {
    for (const EnumeratedTerm& term : enumerated_stage_terms(request.task, request.handoff, request.blocks, request.stage))
      result.terms.push_back({term.monomial, blocks_of(summaries(term.descent, request.map()))});
    return result;
  }
  result.grade = Grade::enumerated;
  const IdealMaps<RunningError> descent =
      population_descent(request.task, with_running_error(expand(start_of(request))), wanted(request));
  result.terms = one_term(blocks_of(summaries(descent, request.map())));
  return result;
}

}  // namespace

const std::vector<GradientEngine>& gradient_engines() {
  static const std::vector<GradientEngine> engines = {
      {"moments",
       "leading order as rationals from joint laws of a few tokens, any N, T up to 512; not stage 3 after full steps",
       moments_limits, moments_cost, run_moments},
      {"exact",
       "coefficients as rationals, leading or with --degree, by sums over orbits (sequences up to relabelling)",
       only_leading, exact_cost, run_exact},
      {"orbits", "sums over orbits: rationals to leading order, doubles with a roundoff bound at full order; no cost in N",
       one_N_leading, orbits_cost, run_orbits},
      {"enumerate", "every sequence: the same evidence, for tiny N and T; with -d the finite model at drawn embeddings",
       [](const GradientRequest& request) { return request.d ? std::string() : one_N_leading(request); }, enumerate_cost,
       run_enumerate},
      {"certified", "sums over orbits in interval arithmetic at full order: proved enclosures", only_full, certified_cost,
       run_certified},
      {"montecarlo",
       "stratified samples with the leading order as control variate, full order; T up to 12 after two actual steps",
       montecarlo_limits, montecarlo_cost, run_montecarlo}};
  return engines;
}

}  // namespace popgrad
