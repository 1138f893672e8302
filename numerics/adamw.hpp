// AdamW (Loshchilov and Hutter, ICLR 2019): Adam with weight decay apart from the gradient, in PyTorch's convention.
#pragma once
#include <cstdint>

#include "numerics/finite_model.hpp"

namespace popgrad {

struct AdamWOptions {
  double beta1 = 0.9;    // of the mean of gradients
  double beta2 = 0.999;  // of the mean of their squares
  double epsilon = 1e-8;
  double weight_decay = 0.01;
};

// One update of one matrix, entry by entry; `updates` is n before and n + 1 after it, m and v start at zero, n at 0:
//   theta <- theta - rate wd theta,   m <- m + (1 - beta1)(g - m),   v <- beta2 v + (1 - beta2) g^2,   n <- n + 1
//   theta <- theta - rate/(1 - beta1^n) m / (sqrt(v)/sqrt(1 - beta2^n) + epsilon)
// This is torch.optim.AdamW without amsgrad: the decay is multiplied by the rate but not by the scale of the gradient, and
// epsilon is added after the bias correction. HypothesisError unless all matrices have one shape.
void adamw_step(const AdamWOptions& options, double rate, const Matrix& gradient, Matrix& m, Matrix& v, std::int64_t& updates,
                Matrix& theta);

// x^n by squaring: the same bits on every platform, which std::pow does not promise. n >= 0.
double integer_power(double x, std::int64_t n);

}  // namespace popgrad
