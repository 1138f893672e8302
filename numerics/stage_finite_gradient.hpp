// The exact population gradient of the finite-d model at a cost a sequence that does not depend on d.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

// What -population_gradient (numerics/finite_population.hpp) gives for one map, d x d, by another route: every vector of the
// model is a combination of the N + T embeddings and their remapped images, so scores and logits are sums of entries of a^T
// W_K1 b, a^T W_K2 b, w_U^T W_O2 W_V2 a and w_U^T a over these atoms, and the gradient is a sum of outer products of atoms
// whose coefficients are found in O(T^2 + N T) a sequence. The full backward pass costs O(T d^2). HypothesisError unless the
// model is the task's, without feed-forward layer, and map is not wf; InputError if the task has too many sequences. Same
// bits for any number of threads.
Matrix finite_descent(const FiniteModel& model, const MinimalTask& task, Map map);

}  // namespace popgrad
