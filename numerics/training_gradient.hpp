// What a run computes from sequences, by the kernel that its options choose: the one place where it draws a minibatch.
#pragma once
#include <memory>

#include "numerics/batch_gradient.hpp"
#include "numerics/model_tables.hpp"
#include "numerics/probes.hpp"

namespace popgrad {

class FastBatch;

// The matrices that update number `step` of a run moves, of options.trained() those that are not frozen there.
std::vector<Table> moving_tables(const TrainOptions& options, std::int64_t step);

class TrainingPass {
 public:
  // The model's frozen tables stay what they are here; its trained maps may change between calls.
  TrainingPass(const TrainOptions& options, const FiniteModel& model);
  ~TrainingPass();
  TrainingPass(TrainingPass&&) noexcept;

  // Sequences step * batch .. (step + 1) * batch - 1 of the training stream, as batch_gradient(). Only the gradients of `tables`
  // are promised; those of others may be zero or absent.
  BatchGradient gradient(const FiniteModel& model, const SequenceSource& source, std::int64_t step,
                         const std::vector<Table>& tables) const;
  Evaluation evaluate(const FiniteModel& model, const std::vector<Example>& examples) const;  // as popgrad::evaluate()

 private:
  std::int64_t batch_;
  std::unique_ptr<FastBatch> fast_;  // null: the reference
};

// For one step alone.
BatchGradient training_gradient(const TrainOptions& options, const FiniteModel& model, const SequenceSource& source,
                                std::int64_t step, const std::vector<Table>& tables);

}  // namespace popgrad
