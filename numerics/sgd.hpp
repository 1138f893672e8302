// Stochastic gradient descent with momentum and weight decay, in PyTorch's convention.
#pragma once
#include "numerics/finite_model.hpp"

namespace popgrad {

struct SgdOptions {
  double momentum = 0;
  double weight_decay = 0;
};

// One update of one matrix:  v <- m v + (g + wd theta),  theta <- theta - rate v  (v starts at zero; the rate multiplies the
// velocity, so with g = 1, rate 1, m = 0.9 three updates move by 1 + 1.9 + 2.71 = 5.61).
// HypothesisError unless the three matrices have one shape.
void sgd_step(const SgdOptions& options, double rate, const Matrix& gradient, Matrix& velocity, Matrix& theta);

}  // namespace popgrad
