// T3.gate at finite d, measured: how large the W_K1 gradient is while W_O2 = 0.
#pragma once
#include <cstdint>

#include "core/minimal_task.hpp"
#include "core/moments.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

// A model with W_O2 = W_K1 = 0, everything else Gaussian N(0, 1/d), W_K2 and W_V2 among it only with `second_layer` (without
// W_O2 they cannot matter for W_K1, and drawing them is most of the cost); draw number `draw` for this d.
FiniteModel gate_model(const MinimalTask& task, int d, std::uint64_t seed, std::uint64_t draw, bool second_layer);

// ||dL/dW_K1||_F^2 of the population loss at a model with W_O2 = W_K1 = 0 and no feed-forward layer. There the gradient is a
// combination of outer products of the N + T embeddings, so it is summed in those coordinates: O(N T) a sequence and two
// d x d products a model, where the full backward pass (population_gradient, the test's reference) costs O(T d^2) a sequence.
// HypothesisError unless W_O2 = W_K1 = 0 and the feed-forward layer is off.
double first_key_gradient_squared(const FiniteModel& model, const MinimalTask& task);

// The same over `draws` independent models of gate_model's law, W_V1 shrunk by d^(-remap_power): 0 is the model, more a
// control whose cross-talk, and with it the gradient, decays faster. The norm depends on inner products of embeddings and on
// W_U W_O1 W_V1 v alone, and a Gaussian matrix times fixed vectors is a Gaussian with their Gram matrix, so no d x d matrix
// is drawn: O(d (N + T)) normals a draw instead of 2 d^2. HypothesisError unless d >= N + T.
Moments sample_first_key_gradient(const MinimalTask& task, int d, std::int64_t draws, std::uint64_t seed, double remap_power = 0);

}  // namespace popgrad
