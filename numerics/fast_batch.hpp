// Gradients of minibatches and held-out evaluation in float: many times faster than the reference in batch_gradient.hpp and
// in_context.cpp, with which it agrees up to float rounding (tests/numerics/fast_*).
#pragma once
#include <memory>

#include "numerics/batch_gradient.hpp"
#include "numerics/fast_model.hpp"
#include "numerics/kernels/sequence_pass.hpp"
#include "numerics/probes.hpp"

namespace popgrad {

class FastBatch {
 public:
  explicit FastBatch(const FiniteModel& model);
  ~FastBatch();
  // The model's trained maps become these; frozen tables and options stay.
  void set(const TrainedMaps& trained) { model_.set(trained); }

  // As batch_gradient(); `sum` holds the gradients of `maps`, the others are zero. Same bits for any number of threads.
  BatchGradient gradient(const SequenceSource& source, Purpose purpose, std::uint64_t first, std::int64_t count,
                         const std::vector<Map>& maps);
  // As evaluate(). A tie is a difference of logits within the roundoff of the float product that made them.
  Evaluation evaluate(const std::vector<Example>& examples);

 private:
  void make_passes();

  FastModel model_;
  std::vector<std::unique_ptr<kernels::SequencePass>> passes_;  // one a thread
  std::vector<Map> maps_;                                       // that sums_ are for
  std::vector<kernels::PassSums> sums_;                         // one a block of the current wave
};

// For one batch alone. HypothesisError as in batch_gradient().
BatchGradient fast_batch_gradient(const FiniteModel& model, const SequenceSource& source, Purpose purpose, std::uint64_t first,
                                  std::int64_t count, const std::vector<Map>& maps);
Evaluation fast_evaluate(const FiniteModel& model, const std::vector<Example>& examples);

}  // namespace popgrad
