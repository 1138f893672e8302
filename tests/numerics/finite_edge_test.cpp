// The finite-d model where programs like this one broke: mask, steep and huge logits, input out of range.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/oracle_comparison.hpp"
#include "tests/oracle/taylor.hpp"

using namespace popgrad;
using namespace popgrad::against_oracle;

TEST_CASE("causal mask: changing token 4 leaves the outputs at positions 1 to 3 bit equal") {
  Stream stream(1, Purpose::test, 101);
  const FiniteModel model = random_finite(stream, 3, 5, 4, 1, true);
  const std::vector<Target> targets = {{0, 1}, {1, 2}, {2, 0}, {3, 1}};
  const FiniteTrace before = forward(model, {{0, 1, 2, 0}, targets});
  const FiniteTrace after = forward(model, {{0, 1, 2, 1}, targets});
  CHECK((before.logits.topRows(3) == after.logits.topRows(3)));
  CHECK((before.logits.row(3) != after.logits.row(3)));
}

TEST_CASE("finite gradient passes the Taylor test, at logits times a thousand too, and three per cent off fails") {
  Stream stream(1, Purpose::test, 102);
  for (const double scale : {1.0, 1e3}) {
    INFO("logits times " << scale);
    FiniteModel model = random_finite(stream, 3, 5, 4, 0.8, true);
    model.frozen.out *= scale;
    const Example example{{0, 2, 1, 1, 0}, {{4, 2}, {2, 0}}};
    TrainedMaps gradient = TrainedMaps::zero(4);
    add_gradient(model, example, gradient);
    // Half along the gradient of each map, half random: <g, v> must not be small by accident.
    TrainedMaps direction = gradient;
    for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf})
      direction.at(map) = gradient.at(map) / gradient.at(map).norm() + normal_matrix(stream, 4, 4, 0.2);
    const auto moved = [&](double h) {
      FiniteModel at = model;
      for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) at.trained.at(map) += h * direction.at(map);
      return at;
    };
    const auto loss = [&](double h) { return forward(moved(h), example).loss; };
    const auto error = [&](double h, double) {
      const auto base = for_oracle(moved(h));
      return oracle::agreement(oracle::value(loss_of(base, example), oracle::trained_entries(base)), 5);
    };
    const auto g = in_oracle_order(gradient), v = in_oracle_order(direction);
    const auto base = for_oracle(model);
    const auto expected = oracle::gradient(loss_of(base, example), oracle::trained_entries(base));
    double slope_error = 0;
    for (std::size_t i = 0; i < g.size(); ++i)
      slope_error += std::abs(v[i]) * (oracle::agreement(expected[i], 5) + 65 * 0x1.0p-53 * std::abs(g[i]));
    const auto right = oracle::taylor_test(loss, dot(g, v), slope_error, error, 2, 16);
    std::string steps;
    for (const auto& point : right.points)
      steps += std::to_string(std::log2(point.remainder)) + " +- " + std::to_string(point.roundoff / point.remainder) + "; ";
    INFO("log2 remainder and its relative roundoff: " << steps);
    INFO("slope " << right.slope << " tolerance " << right.tolerance << ": " << right.reason);
    CHECK(right.verdict == oracle::TaylorVerdict::pass);
    CHECK(oracle::taylor_test(loss, 1.03 * dot(g, v), slope_error, error, 2, 16).verdict == oracle::TaylorVerdict::fail);
    CHECK(oracle::taylor_test(loss, 0.97 * dot(g, v), slope_error, error, 2, 16).verdict == oracle::TaylorVerdict::fail);
  }
}

TEST_CASE("finite gradient at logits of +-700 and at (-431, 279, 427) is finite and p - e") {
  // W_O2 = 0 and W_F = 0: x2 = x1. One token, so x1 = x + W_O1 W_V1 x, and with W_V1 = 0 the logits are out x.
  Stream stream(1, Purpose::test, 103);
  const std::vector<std::vector<double>> logit_sets = {{-431, 279, 427}, {700, -700, 0}, {-700, -700, 700}};
  for (const auto& logits : logit_sets) {
    FiniteModel model = random_finite(stream, 3, 4, 2, 1, false);
    model.frozen.tok << 1, 0, 1, 0, 1, 0;
    model.frozen.pos.setZero();
    model.frozen.wv1.setZero();
    model.trained.wo2.setZero();
    for (int k = 0; k < 3; ++k) model.frozen.out.row(k) << logits[static_cast<std::size_t>(k)], 1;
    const Example example{{0, 1, 2}, {{2, 0}}};
    const FiniteTrace trace = forward(model, example);
    const double top = std::max({logits[0], logits[1], logits[2]});
    double total = 0;
    for (const double logit : logits) total += std::exp(logit - top);
    CHECK(trace.loss == std::log(total) + top - logits[0]);
    for (int k = 0; k < 3; ++k) {
      CHECK(trace.logits(0, k) == logits[static_cast<std::size_t>(k)]);
      // exp, total and quotient: 8 roundings; and the exponent, if formed as logit - log sum: two numbers up to 700.
      // Where e^x underflows, the smallest normal number will do for zero.
      const double p = std::exp(logits[static_cast<std::size_t>(k)] - top) / total;
      CHECK(std::abs(trace.probabilities(0, k) - p) <= (8 + 4 * 700) * 0x1.0p-53 * p + 0x1.0p-1022);
    }
    TrainedMaps gradient = TrainedMaps::zero(2);
    add_gradient(model, example, gradient);
    const auto base = for_oracle(model);
    const auto expected = oracle::gradient(loss_of(base, example), oracle::trained_entries(base));
    CHECK(compare(expected, in_oracle_order(gradient), 4).outside == 0);
    // dL/dW_O2 = sum_k (p_k - e_k) w_U(k) (W_V2 x1)^T.
    const Vector value = model.frozen.wv2 * model.frozen.tok.row(0).transpose();
    for (int j = 0; j < 2; ++j) {
      double factor = 0;
      for (int k = 0; k < 3; ++k) factor += (trace.probabilities(0, k) - (k == 0 ? 1 : 0)) * model.frozen.out(k, 0);
      CHECK(std::abs(gradient.wo2(0, j) - factor * value(j)) <= 32 * 0x1.0p-53 * 2000 * std::abs(value(j)));
    }
  }
}

TEST_CASE("finite model refuses tokens and positions out of range") {
  Stream stream(1, Purpose::test, 104);
  const FiniteModel model = random_finite(stream, 3, 5, 4, 1, false);
  CHECK_THROWS_AS(forward(model, {{0, 3}, {{1, 0}}}), HypothesisError);
  CHECK_THROWS_AS(forward(model, {{0, -1}, {{1, 0}}}), HypothesisError);
  CHECK_THROWS_AS(forward(model, {{0, 1}, {{2, 0}}}), HypothesisError);
  CHECK_THROWS_AS(forward(model, {{0, 1}, {{-1, 0}}}), HypothesisError);
  CHECK_THROWS_AS(forward(model, {{0, 1}, {{1, 3}}}), HypothesisError);
  CHECK_THROWS_AS(forward(model, {{0, 1, 2, 0, 1, 2}, {{1, 0}}}), HypothesisError);
}
