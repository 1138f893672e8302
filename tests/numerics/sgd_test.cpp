#include "numerics/sgd.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

TrainedMaps constant(double x) {
  TrainedMaps maps = TrainedMaps::zero(1);
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) maps.at(map)(0, 0) = x;
  return maps;
}

TEST_CASE("momentum: unit gradients move by 1, 1.9 and 2.71, 5.61 in all") {
  TrainedMaps theta = constant(0), velocity = constant(0);
  for (int i = 0; i < 3; ++i) sgd_step({1, 0.9, 0}, {Map::wo2}, constant(1), velocity, theta);
  // Three roundings of numbers below 8.
  CHECK(std::abs(theta.wo2(0, 0) + 5.61) <= 8 * 3 * 0x1p-53);
  CHECK(std::abs(velocity.wo2(0, 0) - 2.71) <= 4 * 3 * 0x1p-53);
}

TEST_CASE("the rate multiplies the velocity and not the gradient inside it") {
  // With the rate inside the velocity a change of rate between the two updates would act on the second gradient only.
  TrainedMaps theta = constant(0), velocity = constant(0);
  sgd_step({1, 0.5, 0}, {Map::wk1}, constant(1), velocity, theta);
  sgd_step({0.25, 0.5, 0}, {Map::wk1}, constant(1), velocity, theta);
  CHECK(theta.wk1(0, 0) == -1 - 0.25 * 1.5);
}

TEST_CASE("weight decay enters the velocity before momentum acts") {
  TrainedMaps theta = constant(2), velocity = constant(0);
  sgd_step({0.5, 0.5, 0.25}, {Map::wk2}, constant(0), velocity, theta);
  CHECK(velocity.wk2(0, 0) == 0.5);
  CHECK(theta.wk2(0, 0) == 1.75);
  sgd_step({0.5, 0.5, 0.25}, {Map::wk2}, constant(0), velocity, theta);
  CHECK(velocity.wk2(0, 0) == 0.25 + 0.4375);
}

TEST_CASE("a frozen map keeps its weights and its velocity, weight decay included") {
  TrainedMaps theta = constant(2), velocity = constant(3);
  sgd_step({1, 0.9, 0.1}, {Map::wk1}, constant(1), velocity, theta);
  CHECK(theta.wo2(0, 0) == 2);
  CHECK(velocity.wo2(0, 0) == 3);
  CHECK(theta.wk1(0, 0) != 2);
}

TEST_CASE("maps of different shapes are refused") {
  TrainedMaps theta = TrainedMaps::zero(2), velocity = TrainedMaps::zero(2);
  CHECK_THROWS_AS(sgd_step({}, {Map::wo2}, TrainedMaps::zero(3), velocity, theta), HypothesisError);
}

}  // namespace
}  // namespace popgrad
