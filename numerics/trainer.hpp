// Training by stochastic gradient descent on fresh sequences, one update at a time.
#pragma once
#include "numerics/metrics.hpp"
#include "numerics/sgd.hpp"

namespace popgrad {

// All that changes while training; with the options it determines everything that follows.
struct TrainState {
  std::int64_t step = 0;  // updates done
  TrainedMaps trained;
  TrainedMaps velocity;
  StreamCounts stream;
};

// What update 1 used, the gradient as it went into the velocity before weight decay and momentum, and what came of it.
struct FirstGradient {
  std::vector<Map> moved;  // maps that the update moved; a frozen map used no gradient
  TrainedMaps gradient;    // of the pooled loss, d x d each; zero where not moved
  TrainedMaps after;       // the weights after the update; zero where not moved
  std::int64_t sequences = 0, loss_positions = 0;
  double loss = 0;  // pooled, in nats; 0 without a loss position
};

class Trainer {
 public:
  // Validates the options (InputError). The model starts at theta_0 = make_model(options.model_options(corpus), seed).
  Trainer(const TrainOptions& options, const BigramCounts& corpus);

  // Continues from a saved state: the same bits as if it had been reached here. The data stream is positioned by the step
  // number alone, so nothing is replayed or skipped. HypothesisError on other shapes.
  void restore(const TrainState& state);
  TrainState state() const;

  // Nothing before update 1, and in a trainer that was restored after it.
  const std::optional<FirstGradient>& first_gradient() const { return first_; }

  // One update from sequences step * batch .. (step + 1) * batch - 1. A batch without a loss position has gradient zero;
  // momentum and weight decay still act. Throws Error ("diverged: ...", exit code 1) if a weight stops being finite.
  void update();

  // Metrics of the current weights on the held-out stream.
  Metrics measure() const;

  // Step 0, every eval_every-th, and the last.
  bool evaluation_due() const;
  bool checkpoint_due() const;  // every checkpoint_every-th step, and the last
  bool finished() const { return step_ >= options_.steps; }
  std::int64_t step() const { return step_; }
  const FiniteModel& model() const { return model_; }
  const TrainOptions& options() const { return options_; }

 private:
  TrainOptions options_;
  SequenceSource source_;
  HeldOut held_out_;
  FiniteModel model_;
  std::vector<Map> maps_;  // wf only with the feed-forward layer
  TrainedMaps velocity_;
  StreamCounts stream_;
  std::optional<LastBatch> last_;
  std::optional<FirstGradient> first_;
  std::int64_t step_ = 0;
};

}  // namespace popgrad
