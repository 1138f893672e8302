#include "numerics/flow.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "numerics/invariant_probes.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/orbits.hpp"

namespace popgrad {
namespace {

constexpr double most_hours = 24;  // more are refused

void require_positive(const char* key, double x) {
  if (!(x > 0) || !std::isfinite(x)) throw InputError(key, std::to_string(x), "a number > 0");
}

// velocity = momentum velocity + descent; maps += rate velocity, block by block.
template <std::size_t n>
void move(std::array<InvariantBlock<double>, n>& maps, std::array<InvariantBlock<double>, n>& velocity,
          const std::array<InvariantBlock<double>, n>& descent, double momentum, double rate) {
  const auto one = [&](double& x, double& v, double d) {
    v = momentum * v + d;
    x += rate * v;
  };
  for (std::size_t b = 0; b < n; ++b) {
    one(maps[b].diag, velocity[b].diag, descent[b].diag);
    one(maps[b].off, velocity[b].off, descent[b].off);
    for (std::size_t i = 0; i < maps[b].entries.size(); ++i) one(maps[b].entries[i], velocity[b].entries[i], descent[b].entries[i]);
  }
}

Wanted wanted_at(const FlowOptions& options, std::int64_t step) {
  return {step >= options.freeze.wo2, step >= options.freeze.wk2, step >= options.freeze.wk1};
}

}  // namespace

void FlowOptions::validate() const {
  task.validate();
  if (task.T > longest_orbits)
    throw InputError("data.T", std::to_string(task.T),
                     fmt::format("at most {}: a step is a sum over the partitions of T positions, {:.2g} of them here", longest_orbits,
                                 partition_count(task.T, task.N)));
  require_positive("flow.rate", rate);
  require_positive("flow.rate_wo2", rate_wo2.value_or(rate));
  require_positive("flow.rate_wk2", rate_wk2.value_or(rate));
  require_positive("flow.rate_wk1", rate_wk1.value_or(rate));
  if (!(momentum >= 0 && momentum < 1)) throw InputError("flow.momentum", std::to_string(momentum), "a number in [0, 1)");
  if (steps < 1) throw InputError("flow.steps", std::to_string(steps), "a whole number >= 1");
  if (eval_every < 1) throw InputError("flow.eval_every", std::to_string(eval_every), "a whole number >= 1");
  flow_without(without, blocks);
  double orbits = 0;
  for (int length = task.shortest(); length <= task.T; ++length) orbits += partition_count(length, task.N);
  const double hours = orbits * static_cast<double>(steps) / orbits_a_second / 3600;
  if (hours > most_hours)
    throw InputError("flow.steps", std::to_string(steps),
                     fmt::format("work for less than a day: {} steps of {:.2g} kinds of sequences take about {:.2g} hours", steps, orbits, hours));
}

Flow::Flow(FlowOptions options) : options_(std::move(options)) {
  options_.validate();
  rule_ = flow_without(options_.without, options_.blocks);
  maps_ = velocity_ = descent_ = InvariantMaps<double>(options_.task.N, options_.task.T);
}

bool Flow::finite() const { return std::isfinite(largest_entry(maps_)); }

void Flow::update() {
  const Wanted wanted = wanted_at(options_, step_);
  if (finite()) {  // else the run has diverged and stays where it is
    descent_ = flow_descent(options_.task, maps_, rule_, wanted);
    const MapRoundoff committed = descent_roundoff(options_.task, maps_);
    const auto add_roundoff = [&](double& sum, double error, double rate) { sum += rate * error / (1 - options_.momentum); };
    add_roundoff(roundoff_.wo, committed.wo, wanted.wo ? options_.rate_wo2.value_or(options_.rate) : 0);
    add_roundoff(roundoff_.wk2, committed.wk2, wanted.wk2 ? options_.rate_wk2.value_or(options_.rate) : 0);
    add_roundoff(roundoff_.wk1, committed.wk1, wanted.wk1 ? options_.rate_wk1.value_or(options_.rate) : 0);
    if (wanted.wo) move(maps_.wo, velocity_.wo, descent_.wo, options_.momentum, options_.rate_wo2.value_or(options_.rate));
    if (wanted.wk2) move(maps_.wk2, velocity_.wk2, descent_.wk2, options_.momentum, options_.rate_wk2.value_or(options_.rate));
    if (wanted.wk1) move(maps_.wk1, velocity_.wk1, descent_.wk1, options_.momentum, options_.rate_wk1.value_or(options_.rate));
  }
  ++step_;
}

Metrics Flow::measure() const {
  Metrics metrics;
  metrics.step = step_;
  if (finite()) {
    const InvariantLoss loss = orbit_loss(options_.task, maps_, logit_roundoff(options_.task, maps_, roundoff_));
    metrics.loss = loss.loss;
    metrics.loss_positions = loss.rows;
    metrics.accuracy = {loss.accuracy, 1.0 / options_.task.N, loss.margin, static_cast<int>(loss.ties), static_cast<int>(loss.rows)};
    metrics.wo2 = token_recall(maps_.u(Block::E), maps_.N, roundoff_.wo);
    metrics.wk2 = token_recall(maps_.k2(Block::E, Block::R), maps_.N, roundoff_.wk2);
    metrics.wk1_64 = position_recall(maps_.k1(Block::P, Block::P), maps_.T, 64, true, roundoff_.wk1);
    metrics.wk1 = position_recall(maps_.k1(Block::P, Block::P), maps_.T, maps_.T, true, roundoff_.wk1);
    metrics.wk1_64_unmasked = position_recall(maps_.k1(Block::P, Block::P), maps_.T, 64, false, roundoff_.wk1);
    metrics.wk1_unmasked = position_recall(maps_.k1(Block::P, Block::P), maps_.T, maps_.T, false, roundoff_.wk1);
  } else {
    metrics.loss = std::numeric_limits<double>::infinity();
    metrics.loss_positions = 1;
  }
  if (step_ > 0) {
    LastBatch last;
    last.norm_wo2 = frobenius(descent_, 1);
    last.norm_wk2 = frobenius(descent_, 2);
    last.norm_wk1 = frobenius(descent_, 3);
    metrics.batch = last;
  }
  return metrics;
}

}  // namespace popgrad
