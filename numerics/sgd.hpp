// Stochastic gradient descent with momentum and weight decay, in PyTorch's convention.
#pragma once
#include <vector>

#include "numerics/finite_model.hpp"

namespace popgrad {

struct SgdOptions {
  double rate = 1;
  double momentum = 0;
  double weight_decay = 0;
};

// One update of every map in `moving`:  v <- m v + (g + wd theta),  theta <- theta - rate v  (v starts at zero; the rate
// multiplies the velocity, so with g = 1, rate 1, m = 0.9 three updates move by 1 + 1.9 + 2.71 = 5.61). A map that is not in
// `moving` is frozen: neither its weights nor its velocity change, and weight decay does not touch it.
// All matrices d x d; HypothesisError if shapes differ.
void sgd_step(const SgdOptions& options, const std::vector<Map>& moving, const TrainedMaps& gradient, TrainedMaps& velocity,
              TrainedMaps& theta);

}  // namespace popgrad
