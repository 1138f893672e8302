#include "numerics/adamw.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

namespace popgrad {
namespace {

struct Scalar {
  Matrix theta, m = Matrix::Zero(1, 1), v = Matrix::Zero(1, 1);
  std::int64_t updates = 0;
  explicit Scalar(double start) : theta(Matrix::Constant(1, 1, start)) {}
  double step(const AdamWOptions& options, double rate, double gradient) {
    adamw_step(options, rate, Matrix::Constant(1, 1, gradient), m, v, updates, theta);
    return theta(0, 0);
  }
};

TEST_CASE("AdamW: two steps by hand, with betas and epsilon that are exact in binary") {
  // beta1 = 1/2, beta2 = 3/4, no decay, epsilon 0. Step 1 on g = 2: m = 1, v = 1, corrected 2 and 4, theta = -rate.
  // Step 2 on g = 0: m = 1/2, v = 3/4, corrected m/(3/4) = 2/3, v/(7/16) = 12/7: theta = -rate (1 + (2/3)/sqrt(12/7)).
  Scalar x(0);
  const AdamWOptions options{0.5, 0.75, 0, 0};
  CHECK(x.step(options, 0.25, 2) == -0.25);
  CHECK(x.m(0, 0) == 1);
  CHECK(x.v(0, 0) == 1);
  CHECK(std::abs(x.step(options, 0.25, 0) + 0.25 * (1 + 2.0 / 3 / std::sqrt(12.0 / 7))) <= 4 * 0x1p-53);
  CHECK(x.m(0, 0) == 0.5);
  CHECK(x.v(0, 0) == 0.75);
  CHECK(x.updates == 2);
}

TEST_CASE("AdamW: the trajectory of an independent computation in 50 decimal digits") {
  // Python's decimal module from the definition: m_t, v_t by beta1, beta2; theta -= rate (m_t/(1 - beta1^t) / (sqrt(v_t/(1 -
  // beta2^t)) + epsilon) + decay theta). torch.optim.AdamW (1.13, float64) prints the same sixteen digits. The literals are inputs rounded to double; ten roundings a step amplify them little.
  const double gradients[] = {0.5, -0.25, 2, 0, 1e-6};
  const double expected[] = {0.89900000199999996000000079999998400000031999999360,
                             0.87146729870584616259937640206534668178470103191836,
                             0.80353106722844705574980977184990221350166648631093,
                             0.74779216218084434434105630863007904160863767065725,
                             0.70061142597771273043650848845889298917676202962962};
  Scalar x(1);
  const AdamWOptions options{0.9, 0.999, 1e-8, 0.01};
  for (int i = 0; i < 5; ++i) {
    INFO("step " << i + 1);
    // 1 - 0.999^t loses up to 1/(1 - 0.999) of a rounding error; its root and the step of 0.1 halve and tenth that.
    CHECK(std::abs(x.step(options, 0.1, gradients[i]) - expected[i]) <= (i + 1) * (0.1 * 1000 / 2 + 10) * 0x1p-53);
  }
  const double others[] = {0.001, 0.002, -0.004};
  const double wide[] = {-0.74632936507936507936507936507936507936507936507937,
                         -0.74272931710503043150524487346519903266771557635521,
                         -0.73889281485414748606524334134095321645753758526922};
  Scalar y(-0.75);
  for (int i = 0; i < 3; ++i) CHECK(std::abs(y.step({0.5, 0.75, 0.125, 0.5}, 0.01, others[i]) - wide[i]) <= 10 * (i + 1) * 0x1p-53);
}

TEST_CASE("AdamW: weight decay is apart from the gradient: it is neither averaged nor normalized") {
  Scalar x(2);
  CHECK(x.step({0.9, 0.999, 1e-8, 0.25}, 0.5, 0) == 2 - 0.5 * 0.25 * 2);
  CHECK(x.m(0, 0) == 0);
  CHECK(x.v(0, 0) == 0);
}

TEST_CASE("AdamW: the first step does not depend on the size of the gradient, only on its sign") {
  for (const double g : {1e-3, 1.0, 1e100}) {
    Scalar up(0), down(0);
    CHECK(std::abs(up.step({0.9, 0.999, 1e-8, 0}, 0.5, g) + 0.5) < 0.5 * 1.1e-8 / 1e-3);
    CHECK(down.step({0.9, 0.999, 1e-8, 0}, 0.5, -g) == -up.theta(0, 0));
  }
}

TEST_CASE("AdamW acts entry by entry, on matrices of any shape, and refuses mixed ones") {
  Matrix theta(2, 3), g(2, 3), m = Matrix::Zero(2, 3), v = Matrix::Zero(2, 3);
  theta << 1, 2, 3, 4, 5, 6;
  g << 0.1, -0.2, 0, 4, 5, -6;
  const Matrix start = theta;
  std::int64_t updates = 0;
  adamw_step({}, 0.01, g, m, v, updates, theta);
  for (Eigen::Index i = 0; i < theta.size(); ++i) {
    Scalar alone(start.data()[i]);
    CHECK(alone.step({}, 0.01, g.data()[i]) == theta.data()[i]);
  }
  Matrix transposed = Matrix::Zero(3, 2);
  CHECK_THROWS_AS(adamw_step({}, 0.01, g, transposed, v, updates, theta), HypothesisError);
  CHECK_THROWS_AS(adamw_step({}, 0.01, transposed, m, v, updates, theta), HypothesisError);
}

TEST_CASE("powers by squaring are those of repeated multiplication where that is exact") {
  CHECK(integer_power(2, 0) == 1);
  CHECK(integer_power(0.5, 13) == 0x1p-13);
  CHECK(integer_power(-3, 5) == -243);
  CHECK(integer_power(0, 3) == 0);
  CHECK_THROWS_AS(integer_power(2, -1), HypothesisError);
}

}  // namespace
}  // namespace popgrad
