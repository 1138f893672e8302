#include "numerics/sgd.hpp"

#include "core/errors.hpp"

namespace popgrad {

void sgd_step(const SgdOptions& options, double rate, const Matrix& gradient, Matrix& velocity, Matrix& theta) {
  const auto fits = [&](const Matrix& m) { return m.rows() == theta.rows() && m.cols() == theta.cols(); };
  require(fits(gradient) && fits(velocity), "sgd_step", "gradient, velocity", "of the shape of the weights", "another shape");
  velocity = options.momentum * velocity + (gradient + options.weight_decay * theta);
  theta -= rate * velocity;
}

}  // namespace popgrad
