#include "numerics/adamw.hpp"

#include <cmath>

#include "core/errors.hpp"

namespace popgrad {

double integer_power(double x, std::int64_t n) {
  require(n >= 0, "integer_power", "n", "at least 0", std::to_string(n));
  double result = 1;
  for (; n > 0; n /= 2, x *= x)
    if (n % 2 == 1) result *= x;
  return result;
}

void adamw_step(const AdamWOptions& options, double rate, const Matrix& gradient, Matrix& m, Matrix& v, std::int64_t& updates,
                Matrix& theta) {
  const auto fits = [&](const Matrix& x) { return x.rows() == theta.rows() && x.cols() == theta.cols(); };
  require(fits(gradient) && fits(m) && fits(v), "adamw_step", "gradient, m, v", "of the shape of the weights", "another shape");
  ++updates;
  const double step = rate / (1 - integer_power(options.beta1, updates));
  const double root = std::sqrt(1 - integer_power(options.beta2, updates));
  const double kept = 1 - rate * options.weight_decay;
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    const double g = gradient.data()[i];
    double& mean = m.data()[i];
    double& square = v.data()[i];
    mean += (1 - options.beta1) * (g - mean);
    square = options.beta2 * square + (1 - options.beta2) * (g * g);
    double& w = theta.data()[i];
    w = kept * w - step * (mean / (std::sqrt(square) / root + options.epsilon));
  }
}

}  // namespace popgrad
