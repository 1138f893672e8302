#include "numerics/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace popgrad {
namespace {

const TrainOptions& validated(const TrainOptions& options, const BigramCounts& corpus) {
  // Eigen would split a large product among threads, and its sums would then depend on their number.
  Eigen::setNbThreads(1);
  options.validate(corpus);
  return options;
}

}  // namespace

Diverged::Diverged(const std::string& what, std::int64_t step, const TrainOptions& options, bool before_is_good)
    : Error(ExitCode::refuted,
            fmt::format("diverged: {} is not finite at step {} ({}: got {}, expected a smaller rate)", what, step + 1,
                        options.rate_at(step) == options.rate ? "train.rate" : "train.rates", options.rate_at(step))),
      before_is_good_(before_is_good) {}

Trainer::Trainer(const TrainOptions& options, const BigramCounts& corpus)
    : options_(validated(options, corpus)),
      source_(options, corpus),
      held_out_(options, corpus, source_),
      model_(make_model(options.model_options(corpus), options.seed)),
      pass_(options, model_) {
  for (const Table table : options_.trained()) memory_[table] = no_memory(options_.optimizer, matrix(model_, table));
}

void Trainer::restore(const TrainState& state) {
  const char* function = "Trainer::restore";
  for (const auto& [table, memory] : memory_) {
    const auto fits = [&](const Matrix& m, const Matrix& like) { return m.rows() == like.rows() && m.cols() == like.cols(); };
    require(state.weights.contains(table) && state.memory.contains(table), function, name(table), "there", "nothing");
    const OptimizerMemory& saved = state.memory.at(table);
    require(fits(state.weights.at(table), matrix(model_, table)) && fits(saved.first, memory.first) &&
                fits(saved.second, memory.second),
            function, name(table), "of the run's shape", "another shape");
  }
  require(state.step >= 0, function, "step", "at least 0", std::to_string(state.step));
  for (const Table table : options_.trained()) {
    matrix(model_, table) = state.weights.at(table);
    memory_[table] = state.memory.at(table);
  }
  stream_ = state.stream;
  step_ = state.step;
  last_.reset();
  first_.reset();
}

TrainState Trainer::state() const {
  TrainState state{step_, {}, memory_, stream_};
  for (const Table table : options_.trained()) state.weights[table] = matrix(model_, table);
  return state;
}

void Trainer::update() {
  const std::vector<Table> moving = moving_tables(options_, step_);
  const BatchGradient drawn = pass_.gradient(model_, source_, step_, moving);
  if (!std::isfinite(drawn.loss_sum)) throw Diverged("the loss of a minibatch", std::max<std::int64_t>(step_ - 1, 0), options_, false);
  TableSet gradient;
  for (const Table table : moving) {
    gradient[table] = drawn.mean(table);
    if (!gradient[table].allFinite()) throw Diverged(std::string("the gradient of ") + name(table), step_, options_, true);
  }
  for (const Table table : moving) {
    optimizer_step(options_, options_.rate_at(step_), gradient[table], memory_[table], matrix(model_, table));
    if (!matrix(model_, table).allFinite()) throw Diverged(name(table), step_, options_, true);
  }
  if (step_ == 0) {
    first_ = FirstGradient{moving, gradient, {}, drawn.sequences, drawn.loss_positions, drawn.mean_loss()};
    for (const Table table : moving) first_->after[table] = matrix(model_, table);
  }
  stream_.sequences += drawn.sequences;
  stream_.loss_positions += drawn.loss_positions;
  stream_.cycles += drawn.cycles;
  stream_.empty_batches += drawn.empty() ? 1 : 0;
  last_ = LastBatch{drawn.mean_loss(), drawn.loss_positions, {}};
  for (const Table table : options_.trained()) last_->norms[table] = std::nullopt;
  for (const auto& [table, g] : gradient) last_->norms[table] = g.norm();
  ++step_;
}

Metrics Trainer::measure() const {
  Metrics metrics = held_out_.measure(model_, pass_);
  metrics.step = step_;
  metrics.stream = stream_;
  metrics.batch = last_;
  return metrics;
}

bool Trainer::evaluation_due() const { return step_ % options_.eval_every == 0 || finished(); }
bool Trainer::snapshot_due() const {
  return options_.snapshot_every > 0 && (step_ % options_.snapshot_every == 0 || finished());
}
bool Trainer::checkpoint_due() const { return step_ % options_.checkpoint_every == 0 || finished(); }

}  // namespace popgrad
