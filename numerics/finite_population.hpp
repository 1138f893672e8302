// Exact population gradient of the finite-d model on the minimal task: every sequence, weighted by its probability.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

// grad E[loss at the second trigger] in each trained map, d x d each. Throws InputError when the task has too many sequences
// to enumerate, HypothesisError when the model's N or T differ from the task's. Same bits for any number of threads.
TrainedMaps population_gradient(const FiniteModel& model, const MinimalTask& task);

}  // namespace popgrad
