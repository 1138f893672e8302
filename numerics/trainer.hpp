// Training on fresh sequences, one update at a time.
#pragma once
#include "core/errors.hpp"
#include "numerics/metrics.hpp"
#include "numerics/optimizer.hpp"
#include "numerics/training_gradient.hpp"

namespace popgrad {

// All that changes while training; with the options it determines everything that follows.
struct TrainState {
  std::int64_t step = 0;  // updates done
  TableSet weights;       // of options.trained()
  std::map<Table, OptimizerMemory> memory;
  StreamCounts stream;
};

// What update 1 used, the gradient as it came from the minibatch before weight decay, momentum and rates, and what came of it.
struct FirstGradient {
  std::vector<Table> moved;  // what the update moved, in the order of options.trained(); what was frozen used no gradient
  TableSet gradient;         // of the pooled loss
  TableSet after;            // the weights after the update
  std::int64_t sequences = 0, loss_positions = 0;
  double loss = 0;  // pooled, in nats; 0 without a loss position
};

// Training cannot go on: a loss or a weight is not finite. Exit code 1.
class Diverged : public Error {
 public:
  // `what` is not finite after update number `step` (from 0), whose learning rate is named. before_is_good: the weights that the
  // failed update started from have a finite loss.
  Diverged(const std::string& what, std::int64_t step, const TrainOptions& options, bool before_is_good);
  bool before_is_good() const { return before_is_good_; }

 private:
  bool before_is_good_;
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

  // One update from sequences step * batch .. (step + 1) * batch - 1. A batch without a loss position is counted; its gradient
  // is zero, and momentum and weight decay still act. Throws Diverged if the loss or the gradient of the batch is not finite
  // (nothing has moved then), or a weight after the update.
  void update();

  // Metrics of the current weights on the held-out stream.
  Metrics measure() const;
  // In-context accuracy of the current weights on other sequences.
  Probe accuracy(const HeldOut& sequences) const { return sequences.measure(model_, pass_).accuracy; }

  // Step 0, every eval_every-th, and the last.
  bool evaluation_due() const;
  bool checkpoint_due() const;  // every checkpoint_every-th step, and the last
  bool snapshot_due() const;    // every snapshot_every-th step, step 0 and the last; never if that is 0
  bool finished() const { return step_ >= options_.steps; }
  std::int64_t step() const { return step_; }
  const StreamCounts& stream() const { return stream_; }
  const FiniteModel& model() const { return model_; }
  const TrainOptions& options() const { return options_; }

 private:
  TrainOptions options_;
  SequenceSource source_;
  HeldOut held_out_;
  FiniteModel model_;
  TrainingPass pass_;
  std::map<Table, OptimizerMemory> memory_;
  StreamCounts stream_;
  std::optional<LastBatch> last_;
  std::optional<FirstGradient> first_;
  std::int64_t step_ = 0;
};

}  // namespace popgrad
