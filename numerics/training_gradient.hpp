// The gradient that an update uses: the one place where a run draws a minibatch and differentiates.
#pragma once
#include "numerics/batch_gradient.hpp"
#include "numerics/model_tables.hpp"

namespace popgrad {

// The matrices that update number `step` of a run moves, of options.trained() those that are not frozen there.
std::vector<Table> moving_tables(const TrainOptions& options, std::int64_t step);

// Sequences step * batch .. (step + 1) * batch - 1 of the training stream, as batch_gradient(). Only the gradients of `tables`
// are promised; those of others may be zero or absent.
BatchGradient training_gradient(const TrainOptions& options, const FiniteModel& model, const SequenceSource& source,
                                std::int64_t step, const std::vector<Table>& tables);

}  // namespace popgrad
