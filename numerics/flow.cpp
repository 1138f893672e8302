#include "numerics/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// velocity = momentum velocity + descent; maps += rate velocity, block by block. Returns how far the roundings of these lines, and an error of
// `committed` in the descent, move an entry in all: an error of the velocity reaches the entry rate/(1 - momentum) times.
template <std::size_t n>
double move(std::array<InvariantBlock<double>, n>& maps, std::array<InvariantBlock<double>, n>& velocity,
            const std::array<InvariantBlock<double>, n>& descent, double momentum, double rate, double committed) {
  constexpr double u = 0x1p-53;
  double entry = 0, speed = 0, kept = 0;  // the largest |x|, |v| and |momentum v|
  const auto one = [&](double& x, double& v, double d) {
    kept = std::max(kept, std::abs(momentum * v));
    v = momentum * v + d;
    x += rate * v;
    speed = std::max(speed, std::abs(v));
    entry = std::max(entry, std::abs(x));
  };
  for (std::size_t b = 0; b < n; ++b) {
    one(maps[b].diag, velocity[b].diag, descent[b].diag);
    one(maps[b].off, velocity[b].off, descent[b].off);
    for (std::size_t i = 0; i < maps[b].entries.size(); ++i) one(maps[b].entries[i], velocity[b].entries[i], descent[b].entries[i]);
  }
  const double of_velocity = momentum > 0 ? u * (kept + speed) : 0;  // without momentum v is the descent
  return rate * (committed + of_velocity) / (1 - momentum) + u * (rate * speed + entry);
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
    const double m = options_.momentum;
    if (wanted.wo) roundoff_.wo += move(maps_.wo, velocity_.wo, descent_.wo, m, options_.rate_wo2.value_or(options_.rate), committed.wo);
    if (wanted.wk2) roundoff_.wk2 += move(maps_.wk2, velocity_.wk2, descent_.wk2, m, options_.rate_wk2.value_or(options_.rate), committed.wk2);
    if (wanted.wk1) roundoff_.wk1 += move(maps_.wk1, velocity_.wk1, descent_.wk1, m, options_.rate_wk1.value_or(options_.rate), committed.wk1);
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
    last.norms = {{Table::wo2, frobenius(descent_, 1)}, {Table::wk2, frobenius(descent_, 2)}, {Table::wk1, frobenius(descent_, 3)}};
    metrics.batch = last;
  }
  return metrics;
}

}  // namespace popgrad
