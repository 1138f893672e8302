#include "numerics/finite_model.hpp"

#include <cmath>
#include <string>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "finite_fixture.hpp"

using namespace popgrad;

namespace {

// d = 1, W_U = `logits`, everything else makes x3 = 1: the logits are exactly the ones given.
FiniteModel constant_logits(const std::vector<double>& logits) {
  FiniteModel model;
  const int N = static_cast<int>(logits.size());
  model.frozen.tok = Matrix::Ones(N, 1);
  model.frozen.pos = Matrix::Zero(2, 1);
  model.frozen.out = Eigen::Map<const Matrix>(logits.data(), N, 1);
  model.frozen.wv1 = model.frozen.wo1 = Matrix::Zero(1, 1);
  model.frozen.wv2 = Matrix::Ones(1, 1);
  model.trained = TrainedMaps::zero(1);
  return model;
}

std::string message(const FiniteModel& model, const Example& example) {
  try {
    forward(model, example);
  } catch (const HypothesisError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("attention is uniform over s <= t at zero weights, the diagonal included") {
  const FiniteModel model = coordinate_model(3, 4);
  const FiniteTrace trace = forward(model, {{0, 1, 2}, {{0, 0}, {1, 0}, {2, 0}}});
  Matrix expected(3, 3);
  expected << 1, 0, 0, 0.5, 0.5, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3;
  CHECK(trace.attention1 == expected);
  CHECK(trace.attention2 == expected);
}

TEST_CASE("attention scores read query^T W key, not its transpose") {
  FiniteModel model = coordinate_model(3, 4);
  const Coordinates at{3, 4};
  model.trained.wk1(at.at(Block::E, 0), at.at(Block::E, 1)) = std::log(3.0);  // query token 0, key token 1
  model.trained.wk2(at.at(Block::P, 2), at.at(Block::S, 0)) = std::log(7.0);  // query position 3, key S_1
  const FiniteTrace trace = forward(model, {{1, 2, 0}, {{2, 0}}});
  Matrix first(3, 3);
  first << 1, 0, 0, 0.5, 0.5, 0, 0.6, 0.2, 0.2;
  CHECK((trace.attention1 - first).cwiseAbs().maxCoeff() <= 8e-16);
  // x1_3 carries R_1 and S_1 with the first layer's weight 3/5, and R_2, R_0 with 1/5; its own E_0 and P_3 with 1.
  CHECK(trace.x1(2, at.at(Block::R, 1)) == Approx(0.6).epsilon(1e-15));
  CHECK(trace.x1(2, at.at(Block::S, 0)) == Approx(0.6).epsilon(1e-15));
  CHECK(trace.x1(2, at.at(Block::R, 2)) == Approx(0.2).epsilon(1e-15));
  CHECK(trace.x1(2, at.at(Block::E, 0)) == 1);
  CHECK(trace.x1(2, at.at(Block::E, 1)) == 0);
  // Second layer: position s holds S_1 with weight 1, 1/2, 3/5.
  const double a = 7, b = std::sqrt(7.0), c = std::pow(7.0, 0.6);
  CHECK(trace.attention2(0, 0) == Approx(a / (a + b + c)).epsilon(1e-14));
  CHECK(trace.attention2(0, 1) == Approx(b / (a + b + c)).epsilon(1e-14));
}

TEST_CASE("kappa multiplies the scores of both layers") {
  FiniteModel model = coordinate_model(2, 3);
  const Coordinates at{2, 3};
  model.score_scale = 0.5;
  model.trained.wk1(at.at(Block::P, 1), at.at(Block::P, 0)) = std::log(9.0);
  model.trained.wk2(at.at(Block::P, 1), at.at(Block::P, 0)) = std::log(25.0);
  const FiniteTrace trace = forward(model, {{0, 0}, {{1, 0}}});
  CHECK(trace.attention1(1, 0) == Approx(0.75).epsilon(1e-15));
  CHECK(trace.attention2(0, 0) == Approx(5.0 / 6).epsilon(1e-15));
}

TEST_CASE("planted memories make an induction head with the loss computed by hand") {
  const int N = 5, T = 7;
  FiniteModel model = coordinate_model(N, T);
  plant_memories(model, 3, 200, 200);  // attention off the memory is below e^-99, invisible in double
  const Example example{{3, 4, 1, 2, 0, 2, 4}, {{6, 1}, {5, 0}}};  // second 4 -> 1; second 2 -> 0
  const FiniteTrace trace = forward(model, example);
  CHECK(trace.attention1(3, 2) == Approx(1).epsilon(1e-15));
  CHECK(trace.attention2(0, 2) == Approx(1).epsilon(1e-15));
  CHECK(trace.attention2(1, 4) == Approx(1).epsilon(1e-15));
  for (int k = 0; k < N; ++k) {
    INFO("token " << k);
    CHECK(trace.logits(0, k) == Approx(k == 1 ? 3.0 : 0.0).margin(1e-14));
  }
  CHECK(trace.loss == Approx(2 * (std::log(std::exp(3.0) + N - 1) - 3)).epsilon(1e-14));
  // Position 1 has no predecessor and writes its own token: a trigger there ties with its output.
  const FiniteTrace first = forward(model, {{4, 1, 2, 4}, {{3, 1}}});
  CHECK(first.attention2(0, 0) == Approx(0.5).epsilon(1e-15));
  CHECK(first.attention2(0, 1) == Approx(0.5).epsilon(1e-15));
}

TEST_CASE("scalar model agrees with the formulas written out, feed-forward layer on and off") {
  FiniteModel model;
  model.frozen.tok = (Matrix(2, 1) << 0.7, -1.1).finished();
  model.frozen.pos = (Matrix(2, 1) << 0.2, 0.5).finished();
  model.frozen.out = (Matrix(2, 1) << 1.3, -0.4).finished();
  const auto scalar = [](double x) { return Matrix(Matrix::Constant(1, 1, x)); };
  model.frozen.wv1 = scalar(0.6);
  model.frozen.wo1 = scalar(-0.9);
  model.frozen.wv2 = scalar(1.7);
  model.trained = {scalar(0.8), scalar(-0.5), scalar(0.3), scalar(2.5)};
  model.score_scale = 1.5;
  const double x1 = 0.7 + 0.2, x2 = -1.1 + 0.5;                     // tokens 0, 1
  const double w = 1 / (1 + std::exp(1.5 * 0.8 * x2 * (x2 - x1)));  // weight of s = 1 in row 2
  const double h1 = x1 - 0.54 * x1, h2 = x2 - 0.54 * (w * x1 + (1 - w) * x2);
  const double v = 1 / (1 + std::exp(1.5 * -0.5 * h2 * (h2 - h1)));
  const double y = h2 + 0.3 * 1.7 * (v * h1 + (1 - v) * h2);
  const Example example{{0, 1}, {{1, 0}}};
  CHECK(forward(model, example).loss == Approx(std::log1p(std::exp(-(1.3 + 0.4) * y))).epsilon(1e-14));
  model.feed_forward = true;
  CHECK(forward(model, example).loss == Approx(std::log1p(std::exp(-(1.3 + 0.4) * 3.5 * y))).epsilon(1e-14));
}

TEST_CASE("a later token cannot change earlier outputs: bits equal") {
  const FiniteModel model = generic_model(5, 6, 7, 11);
  const std::vector<Target> early = {{0, 1}, {1, 2}, {2, 0}};
  const FiniteTrace a = forward(model, {{3, 1, 4, 0}, early});
  const FiniteTrace b = forward(model, {{3, 1, 4, 2}, early});
  CHECK(a.logits == b.logits);
  CHECK(a.x1.topRows(3) == b.x1.topRows(3));
  CHECK(a.loss == b.loss);
  CHECK(a.x1.row(3) != b.x1.row(3));
  CHECK(a.attention1(0, 1) == 0);
  CHECK(a.attention2(2, 3) == 0);
}

TEST_CASE("shapes with N, T, d, length and number of targets all different") {
  const FiniteModel model = generic_model(5, 6, 7, 2);
  const FiniteTrace trace = forward(model, {{3, 1, 4, 0}, {{1, 2}, {3, 0}}});
  const auto shape = [](const Matrix& m) { return std::vector<long>{m.rows(), m.cols()}; };
  CHECK(shape(trace.x) == std::vector<long>{4, 7});
  CHECK(shape(trace.attention1) == std::vector<long>{4, 4});
  CHECK(shape(trace.x1) == std::vector<long>{4, 7});
  CHECK(shape(trace.attention2) == std::vector<long>{2, 4});
  CHECK(shape(trace.value2) == std::vector<long>{2, 7});
  CHECK(shape(trace.x3) == std::vector<long>{2, 7});
  CHECK(shape(trace.probabilities) == std::vector<long>{2, 5});
  CHECK(shape(model.remapped_tokens()) == std::vector<long>{5, 7});
  const Vector w1 = model.frozen.wo1 * (model.frozen.wv1 * model.frozen.tok.row(3).transpose());
  CHECK((model.remapped_tokens().row(3).transpose() - w1).cwiseAbs().maxCoeff() <= 1e-14);
}

TEST_CASE("an example without targets has loss 0 and gradient 0, nothing NaN") {
  const FiniteModel model = generic_model(5, 6, 7, 3);
  const Example none{{3, 1, 4, 0}, {}};
  const FiniteTrace trace = forward(model, none);
  CHECK(trace.loss == 0);
  CHECK(trace.logits.rows() == 0);
  CHECK(trace.x1.allFinite());
  TrainedMaps gradient = TrainedMaps::zero(7);
  CHECK(add_gradient(model, none, gradient) == 0);
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) CHECK(gradient.at(map) == Matrix::Zero(7, 7));
}

TEST_CASE("extreme logits: finite loss, and p - e through the backward pass") {
  const FiniteModel model = constant_logits({-431, 279, 427});
  const Example example{{0, 1}, {{1, 0}}};
  const FiniteTrace trace = forward(model, example);
  CHECK(trace.loss == 427 + 431);  // log(1 + e^-148 + ...) is below the last bit
  CHECK(trace.probabilities(0, 2) == 1);
  TrainedMaps gradient = TrainedMaps::zero(1);
  add_gradient(model, example, gradient);
  // value2 = 1, so d loss / d W_O2 = W_U^T (p - e) = 427 + 431.
  CHECK(gradient.wo2(0, 0) == Approx(858).epsilon(1e-15));
  const FiniteTrace huge = forward(constant_logits({700, -700, 700}), {{2}, {{0, 1}, {0, 0}}});
  CHECK(huge.loss == Approx(1400 + 2 * std::log(2.0)).epsilon(1e-15));
  CHECK(huge.probabilities.allFinite());
}

TEST_CASE("smallest sizes and repeated embeddings work") {
  FiniteModel model = generic_model(2, 1, 1, 4);
  CHECK(std::isfinite(forward(model, {{1}, {{0, 0}}}).loss));
  model = generic_model(3, 4, 5, 5);
  model.frozen.out.row(1) = model.frozen.out.row(0);
  const FiniteTrace trace = forward(model, {{0, 1, 2}, {{2, 1}}});
  CHECK(trace.probabilities(0, 0) == Approx(trace.probabilities(0, 1)).epsilon(1e-14));
}

TEST_CASE("examples and models that do not fit are refused by name") {
  const FiniteModel model = generic_model(3, 4, 5, 6);
  CHECK(message(model, {{}, {}}).find("tokens") != std::string::npos);
  CHECK(message(model, {{0, 1, 2, 0, 1}, {}}).find("tokens") != std::string::npos);
  CHECK(message(model, {{0, 3}, {}}).find("token") != std::string::npos);
  CHECK(message(model, {{0, -1}, {}}).find("-1") != std::string::npos);
  CHECK(message(model, {{0, 1}, {{2, 0}}}).find("target position") != std::string::npos);
  CHECK(message(model, {{0, 1}, {{1, 3}}}).find("target token") != std::string::npos);
  FiniteModel wrong = model;
  wrong.frozen.wv2 = Matrix::Zero(5, 4);
  CHECK(message(wrong, {{0}, {}}).find("wv2") != std::string::npos);
  wrong = model;
  wrong.trained.wf.resize(0, 0);
  CHECK(message(wrong, {{0}, {}}).find("wf") != std::string::npos);
  wrong = model;
  wrong.score_scale = std::nan("");
  CHECK(message(wrong, {{0}, {}}).find("score_scale") != std::string::npos);
  TrainedMaps gradient = TrainedMaps::zero(4);
  CHECK_THROWS_AS(add_gradient(model, {{0}, {{0, 0}}}, gradient), HypothesisError);
}
