// The update rule of a run, whichever it is, and what it remembers of each matrix that it moves.
#pragma once
#include <cstdint>
#include <map>

#include "numerics/model_tables.hpp"
#include "numerics/train_options.hpp"

namespace popgrad {

// Zero at first, of the matrix' shape. A matrix that is frozen at an update is left alone altogether: its weights, weight decay
// included, its memory and its count of updates. So AdamW's bias correction starts when the matrix is unfrozen (PyTorch's
// convention for a parameter without a gradient).
struct OptimizerMemory {
  Matrix first;   // sgd: the velocity; adamw: the mean of gradients
  Matrix second;  // adamw: the mean of their squares; sgd: 0 x 0
  std::int64_t updates = 0;
};

OptimizerMemory no_memory(OptimizerKind kind, const Matrix& theta);

// One update of theta at the given learning rate; the rest of the rule is in the options. HypothesisError on other shapes.
void optimizer_step(const TrainOptions& options, double rate, const Matrix& gradient, OptimizerMemory& memory, Matrix& theta);

}  // namespace popgrad
