// The pieces of a training step, to be timed.
#pragma once
#include <vector>

#include "numerics/fast_batch.hpp"
#include "numerics/train_options.hpp"

namespace popgrad {

// The published settings: bigram task on Tiny Shakespeare, 5 fixed triggers, head loss, SGD 0.2, momentum 0.9, weight decay
// 1e-4.
TrainOptions published_training(int T, int d, int batch);
const std::vector<Map>& trained_maps();

// What a training run does between evaluations.
class TrainingWork {
 public:
  explicit TrainingWork(const TrainOptions& options);
  void update();                            // data, forward, backward, step
  void apply(const TrainedMaps& gradient);  // the update alone: momentum, weights, what is formed once a step
  BatchGradient gradient();                 // data, forward, backward, of the next update's sequences
  std::int64_t draw() const;                // data alone: the next update's sequences; returns their loss positions
  double loss();                            // data, forward: the gradient of no map
  std::uint64_t first() const { return static_cast<std::uint64_t>(step_ * options_.batch); }
  const SequenceSource& source() const { return source_; }
  const FiniteModel& model() const { return model_; }

 private:
  TrainOptions options_;
  SequenceSource source_;
  FiniteModel model_;
  TrainedMaps velocity_;
  FastBatch fast_;
  std::int64_t step_ = 0;
};

// Floating-point operations that a sequence needs, forward and backward, a multiplication and an addition being two.
struct Operations {
  double forward = 0, backward = 0;
  double loss_positions = 0;  // a sequence, mean
  double dense = 0;           // of the dense code: every position in both layers, nothing causal
};
Operations operations(const TrainOptions& options);

}  // namespace popgrad
