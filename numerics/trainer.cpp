#include "numerics/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"

namespace popgrad {
namespace {

const TrainOptions& validated(const TrainOptions& options, const BigramCounts& corpus) {
  // Eigen would split a large product among threads, and its sums would then depend on their number.
  Eigen::setNbThreads(1);
  options.validate(corpus);
  return options;
}

}  // namespace

Trainer::Trainer(const TrainOptions& options, const BigramCounts& corpus)
    : options_(validated(options, corpus)),
      source_(options, corpus),
      held_out_(options, corpus, source_),
      model_(make_model(options.model_options(corpus), options.seed)),
      maps_{Map::wk1, Map::wk2, Map::wo2},
      velocity_(TrainedMaps::zero(model_.d())) {
  if (model_.feed_forward) maps_.push_back(Map::wf);
}

void Trainer::restore(const TrainState& state) {
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) {
    const auto fits = [&](const Matrix& m) { return m.rows() == model_.d() && m.cols() == model_.d(); };
    require(fits(state.trained.at(map)) && fits(state.velocity.at(map)), "Trainer::restore", name(map), "d x d",
            "another shape");
  }
  require(state.step >= 0, "Trainer::restore", "step", "at least 0", std::to_string(state.step));
  model_.trained = state.trained;
  velocity_ = state.velocity;
  stream_ = state.stream;
  step_ = state.step;
  last_.reset();
  first_.reset();
}

TrainState Trainer::state() const { return {step_, model_.trained, velocity_, stream_}; }

void Trainer::update() {
  const std::int64_t batch = options_.batch;
  const BatchGradient drawn =
      batch_gradient(model_, source_, source_.training(), static_cast<std::uint64_t>(step_ * batch), batch);
  const TrainedMaps gradient = drawn.mean();
  std::vector<Map> moving;
  for (const Map map : maps_)
    if (step_ >= options_.freeze.at(map)) moving.push_back(map);
  if (step_ == 0) {
    first_ = FirstGradient{moving, gradient, TrainedMaps::zero(options_.model.d), drawn.sequences, drawn.loss_positions, drawn.mean_loss()};
    for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf})
      if (std::ranges::find(moving, map) == moving.end()) first_->gradient.at(map).setZero();
  }
  sgd_step({options_.rate, options_.momentum, options_.weight_decay}, moving, gradient, velocity_, model_.trained);
  if (step_ == 0)
    for (const Map map : moving) first_->after.at(map) = model_.trained.at(map);
  for (const Map map : moving)
    if (!model_.trained.at(map).allFinite())
      throw Error(ExitCode::refuted, fmt::format("diverged: {} is no longer finite after step {} (train.rate: got {}, expected a smaller rate)",
                                                 name(map), step_ + 1, options_.rate));
  stream_.sequences += drawn.sequences;
  stream_.loss_positions += drawn.loss_positions;
  stream_.cycles += drawn.cycles;
  stream_.empty_batches += drawn.empty() ? 1 : 0;
  last_ = LastBatch{drawn.mean_loss(),   drawn.loss_positions, gradient.wk1.norm(),
                    gradient.wk2.norm(), gradient.wo2.norm(),  gradient.wf.norm()};
  ++step_;
}

Metrics Trainer::measure() const {
  Metrics metrics = held_out_.measure(model_);
  metrics.step = step_;
  metrics.stream = stream_;
  metrics.batch = last_;
  return metrics;
}

bool Trainer::evaluation_due() const { return step_ % options_.eval_every == 0 || finished(); }
bool Trainer::checkpoint_due() const { return step_ % options_.checkpoint_every == 0 || finished(); }

}  // namespace popgrad
