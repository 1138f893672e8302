#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "core/philox.hpp"
#include "finite_fixture.hpp"
#include "numerics/finite_model.hpp"

using namespace popgrad;

namespace {

const std::vector<Map> all_maps = {Map::wk1, Map::wk2, Map::wo2, Map::wf};

// Repeated tokens, several targets, one position twice, the first position (whose attention cannot move) among them.
const Example example{{3, 1, 4, 1, 0}, {{4, 1}, {2, 0}, {2, 3}, {0, 2}, {3, 3}}};

Matrix random_direction(int d, std::uint64_t sample) {
  Stream stream(17, Purpose::test, sample);
  Matrix direction(d, d);
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) direction(i, j) = stream.normal();
  return direction / direction.norm();
}

double loss_at(FiniteModel model, Map map, const Matrix& step) {
  model.trained.at(map) += step;
  return forward(model, example).loss;
}

// log2 of the ratios of |L(W + hD) - L(W) - h <G, D>| at h and h/2, over a range of h in which the remainder is far above
// roundoff. 2 for the right gradient, 1 for a wrong one.
std::vector<double> taylor_slopes(const FiniteModel& model, Map map, const Matrix& G, double h) {
  const Matrix D = random_direction(model.d(), static_cast<std::uint64_t>(map));
  const double base = forward(model, example).loss;
  const double slope = G.cwiseProduct(D).sum();
  std::vector<double> slopes;
  double previous = 0;
  for (int i = 0; i < 5; ++i, h /= 2) {
    const double remainder = std::abs(loss_at(model, map, h * D) - base - h * slope);
    REQUIRE(remainder > 1e3 * 0x1p-53 * std::abs(base));  // roundoff of the loss moves a slope by less than 0.01
    if (i > 0) slopes.push_back(std::log2(previous / remainder));
    previous = remainder;
  }
  return slopes;
}

TrainedMaps gradient_of(const FiniteModel& model) {
  TrainedMaps gradient = TrainedMaps::zero(model.d());
  add_gradient(model, example, gradient);
  return gradient;
}

}  // namespace

TEST_CASE("Taylor remainder of every map's gradient is quadratic") {
  const FiniteModel model = generic_model(5, 6, 7, 21);
  const TrainedMaps gradient = gradient_of(model);
  for (const Map map : all_maps) {
    for (const double slope : taylor_slopes(model, map, gradient.at(map), 0x1p-7)) {
      INFO(name(map) << ", slope " << slope);
      CHECK(slope > 1.9);
      CHECK(slope < 2.1);
    }
  }
}

TEST_CASE("a gradient wrong by 3 per cent, transposed, or with the other sign has remainder slope 1") {
  const FiniteModel model = generic_model(5, 6, 7, 21);
  const TrainedMaps gradient = gradient_of(model);
  for (const Map map : all_maps) {
    const Matrix& G = gradient.at(map);
    for (const Matrix& poisoned : {Matrix(1.03 * G), Matrix(G.transpose()), Matrix(-G)}) {
      const double slope = taylor_slopes(model, map, poisoned, 0x1p-10).back();
      INFO(name(map) << ", slope " << slope);
      CHECK(slope < 1.1);
    }
  }
}

TEST_CASE("Taylor remainder stays quadratic with logits a thousand times larger") {
  FiniteModel model = generic_model(5, 6, 7, 22);
  model.frozen.out *= 1e3;
  const TrainedMaps gradient = gradient_of(model);
  for (const Map map : {Map::wk1, Map::wk2}) {
    const double slope = taylor_slopes(model, map, gradient.at(map), 0x1p-12).back();
    INFO(name(map) << ", slope " << slope);
    CHECK(slope > 1.9);
    CHECK(slope < 2.1);
  }
}

TEST_CASE("without the feed-forward layer the gradient of W_F is zero and the others are right") {
  const FiniteModel model = generic_model(5, 6, 7, 23, false);
  const TrainedMaps gradient = gradient_of(model);
  CHECK(gradient.wf == Matrix::Zero(7, 7));
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2}) {
    const double slope = taylor_slopes(model, map, gradient.at(map), 0x1p-10).back();
    INFO(name(map) << ", slope " << slope);
    CHECK(std::abs(slope - 2) < 0.1);
  }
}

TEST_CASE("gradients add up: over calls, and over the targets of one example") {
  const FiniteModel model = generic_model(5, 6, 7, 24);
  const TrainedMaps once = gradient_of(model);
  TrainedMaps split = TrainedMaps::zero(7);
  double loss = 0;
  for (const Target& target : example.targets) loss += add_gradient(model, {example.tokens, {target}}, split);
  CHECK(loss == Approx(forward(model, example).loss).epsilon(1e-14));
  for (const Map map : all_maps) {
    const double largest = once.at(map).cwiseAbs().maxCoeff();
    REQUIRE(largest > 0.01);
    CHECK((split.at(map) - once.at(map)).cwiseAbs().maxCoeff() <= 1e-12 * largest);  // about 10^3 terms
  }
}

TEST_CASE("W_O2 = 0 closes the gate of W_K2 exactly, not that of W_K1") {
  FiniteModel model = generic_model(5, 6, 7, 25);
  model.trained.wo2.setZero();
  const TrainedMaps gradient = gradient_of(model);
  CHECK(gradient.wk2 == Matrix::Zero(7, 7));
  CHECK(gradient.wk1.cwiseAbs().maxCoeff() > 1e-3);  // through the residual stream
  CHECK(gradient.wo2.cwiseAbs().maxCoeff() > 1e-3);
}

TEST_CASE("first step of W_O2 from zero on one sequence, by hand") {
  // Zero maps, coordinate embeddings: p = 1/N, value2 = mean of x1_s, so d loss / d W_O2 = sum_k (1/N - [k = y]) w_U(k) v^T.
  const int N = 4, T = 5;
  const FiniteModel model = coordinate_model(N, T);
  const Coordinates at{N, T};
  TrainedMaps gradient = TrainedMaps::zero(model.d());
  const double loss = add_gradient(model, {{2, 3, 2}, {{2, 3}}}, gradient);
  CHECK(loss == Approx(std::log(4.0)).epsilon(1e-15));
  const auto entry = [&](int k, Block block, int i) { return gradient.wo2(output_coordinate(model, k), at.at(block, i)); };
  CHECK(entry(3, Block::E, 2) == Approx((0.25 - 1) * 2.0 / 3).epsilon(1e-15));
  CHECK(entry(3, Block::E, 3) == Approx((0.25 - 1) / 3).epsilon(1e-15));
  CHECK(entry(0, Block::E, 3) == Approx(0.25 / 3).epsilon(1e-15));
  CHECK(entry(0, Block::E, 1) == 0);
  // R_3 is written at positions 2 and 3 with weights 1/2 and 1/3, S_1 at all three.
  CHECK(entry(3, Block::R, 3) == Approx(-0.75 * (1.0 / 2 + 1.0 / 3) / 3).epsilon(1e-14));
  CHECK(entry(1, Block::S, 0) == Approx(0.25 * (1 + 1.0 / 2 + 1.0 / 3) / 3).epsilon(1e-14));
  CHECK(gradient.wk1.cwiseAbs().maxCoeff() == 0);
  CHECK(gradient.wk2.cwiseAbs().maxCoeff() == 0);
}
