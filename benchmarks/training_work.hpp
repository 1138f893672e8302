// The pieces of a training step, to be timed.
#pragma once
#include <vector>

#include "numerics/fast_batch.hpp"
#include "numerics/trainer.hpp"

namespace popgrad {

// The published settings: bigram task on Tiny Shakespeare, 5 fixed triggers, head loss, SGD 0.2, momentum 0.9, weight decay
// 1e-4.
TrainOptions published_training(int T, int d, int batch);
const std::vector<Map>& trained_maps();

// A training run at any step, and the parts of its next one.
class TrainingWork {
 public:
  explicit TrainingWork(const TrainOptions& options);
  void update() { trainer_.update(); }  // data, forward, backward, step: what a run does between evaluations
  void apply(
      const TrainedMaps& gradient);  // the last of these alone, on a copy of the weights, and what is formed once a step
  BatchGradient gradient();          // data, forward, backward
  double loss();                     // data, forward: the gradient of no map
  std::int64_t draw() const;         // data alone; returns the number of loss positions
  std::uint64_t first() const { return static_cast<std::uint64_t>(trainer_.step() * trainer_.options().batch); }
  const SequenceSource& source() const { return source_; }
  const FiniteModel& model() const { return trainer_.model(); }

 private:
  FastBatch& pass();

  Trainer trainer_;
  SequenceSource source_;
  FastBatch fast_;
  std::int64_t weights_of_ = 0;  // step whose weights fast_ has
  TrainedMaps copy_, velocity_;
};

// Floating-point operations that a sequence needs, forward and backward, a multiplication and an addition being two.
struct Operations {
  double forward = 0, backward = 0;
  double loss_positions = 0;  // a sequence, mean
  double dense = 0;           // of the dense code: every position in both layers, nothing causal
};
Operations operations(const TrainOptions& options);

}  // namespace popgrad
