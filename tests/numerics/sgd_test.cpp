#include "numerics/sgd.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

Matrix constant(double x) { return Matrix::Constant(1, 1, x); }

TEST_CASE("momentum: unit gradients move by 1, 1.9 and 2.71, 5.61 in all") {
  Matrix theta = constant(0), velocity = constant(0);
  for (int i = 0; i < 3; ++i) sgd_step({0.9, 0}, 1, constant(1), velocity, theta);
  // Three roundings of numbers below 8.
  CHECK(std::abs(theta(0, 0) + 5.61) <= 8 * 3 * 0x1p-53);
  CHECK(std::abs(velocity(0, 0) - 2.71) <= 4 * 3 * 0x1p-53);
}

TEST_CASE("the rate multiplies the velocity and not the gradient inside it") {
  // With the rate inside the velocity a change of rate between the two updates would act on the second gradient only.
  Matrix theta = constant(0), velocity = constant(0);
  sgd_step({0.5, 0}, 1, constant(1), velocity, theta);
  sgd_step({0.5, 0}, 0.25, constant(1), velocity, theta);
  CHECK(theta(0, 0) == -1 - 0.25 * 1.5);
}

TEST_CASE("weight decay enters the velocity before momentum acts") {
  Matrix theta = constant(2), velocity = constant(0);
  sgd_step({0.5, 0.25}, 0.5, constant(0), velocity, theta);
  CHECK(velocity(0, 0) == 0.5);
  CHECK(theta(0, 0) == 1.75);
  sgd_step({0.5, 0.25}, 0.5, constant(0), velocity, theta);
  CHECK(velocity(0, 0) == 0.25 + 0.4375);
}

TEST_CASE("SGD: the trajectory of torch.optim.SGD") {
  // PyTorch 1.13, float64: SGD(lr = 0.2, momentum = 0.9, weight_decay = 0.1) from 2 on gradients 0.5, -0.25, 2.
  const double gradients[] = {0.5, -0.25, 2}, expected[] = {1.86, 1.7468, 1.209984};
  Matrix theta = constant(2), velocity = constant(0);
  for (int i = 0; i < 3; ++i) {
    sgd_step({0.9, 0.1}, 0.2, constant(gradients[i]), velocity, theta);
    CHECK(std::abs(theta(0, 0) - expected[i]) <= 2 * 5 * (i + 1) * 0x1p-53);  // five roundings of numbers of at most 2 a step
  }
}

TEST_CASE("matrices of different shapes are refused") {
  Matrix theta = Matrix::Zero(2, 3), velocity = Matrix::Zero(2, 3);
  CHECK_THROWS_AS(sgd_step({}, 1, Matrix::Zero(3, 2), velocity, theta), HypothesisError);
}

}  // namespace
}  // namespace popgrad
