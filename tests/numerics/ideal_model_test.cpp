#include "numerics/ideal_model.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "core/philox.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/ideal_trace.hpp"

using namespace popgrad;

namespace {

Rational ratio(int p, int q) { return Rational(p) / Rational(q); }

// All entries of all maps normal, so that no block is zero and nothing is symmetric.
template <class S>
IdealMaps<S> random_maps(int N, int T, std::uint64_t seed, double scale = 1) {
  Stream stream(seed, Purpose::test, 0);
  IdealMaps<S> maps(N, T);
  for (std::vector<S>* map : {&maps.wo, &maps.wk2, &maps.wk1})
    for (S& entry : *map) entry = S(scale * stream.normal());
  return maps;
}

double loss(const IdealMaps<double>& maps, const Example& example) {
  const std::vector<double> l = ideal_logits(maps, example.tokens);
  return log_mean_exp(l) - l[static_cast<std::size_t>(example.targets[0].token)];
}

const Example example_4{{2, 0, 2, 1}, {{3, 0}}};  // four tokens

}  // namespace

TEST_CASE("zero weights attend uniformly to the past and to themselves (pitfall 3)", "[ideal_model]") {
  const auto trace = ideal_trace(IdealMaps<Rational>(2, 4), {0, 1, 1});
  const std::vector<Rational> rows = {1, 0, 0, ratio(1, 2), ratio(1, 2), 0, ratio(1, 3), ratio(1, 3), ratio(1, 3)};
  for (int t = 0; t < 3; ++t)
    for (int s = 0; s < 3; ++s) CHECK(trace.a1(t, s) == rows[static_cast<std::size_t>(3 * t + s)]);
  for (const Rational& a : trace.attention2) CHECK(a == ratio(1, 3));
}

TEST_CASE("the last token changes nothing before it (pitfall 2)", "[ideal_model]") {
  const auto maps = random_maps<double>(3, 4, 11);
  const auto a = ideal_trace(maps, {2, 0, 1, 0}), b = ideal_trace(maps, {2, 0, 1, 2}), c = ideal_trace(maps, {2, 0, 1});
  for (int t = 0; t < 3; ++t)
    for (int j = 0; j < maps.at.size(); ++j) {
      CHECK(a.key(t, j) == b.key(t, j));
      CHECK(a.key(t, j) == c.key(t, j));
    }
  CHECK(a.key(3, 0) != b.key(3, 0));
}

// Tokens 0 1 1 0, uniform attention: position s is read with weight (1/4) sum_{t >= s} 1/t = 25/48, 13/48, 7/48, 3/48.
TEST_CASE("logits at N = 2, T = 4 by hand, uniform attention", "[ideal_model]") {
  IdealMaps<Rational> maps(2, 4);
  maps.u(0, maps.at.at(Block::E, 0)) = 2;  // E_0 is half of the tokens
  maps.u(0, maps.at.at(Block::R, 1)) = 3;  // R_1: 13/48 + 7/48
  maps.u(1, maps.at.at(Block::S, 2)) = 5;  // 7/48
  maps.u(1, maps.at.at(Block::P, 3)) = 7;  // 1/4
  const auto logits = ideal_logits(maps, {0, 1, 1, 0});
  REQUIRE(logits.size() == 2);
  CHECK(logits[0] == ratio(9, 4));
  CHECK(logits[1] == ratio(119, 48));
}

// W_K1(P_2, P_1) = log 3 makes row 2 of the first attention (3/4, 1/4); W_K2(E_0, R_0) = log 2 makes the second one
// proportional to 2^{x1_s[R_0]} with x1_s[R_0] = 1, 3/4, 1/3, 1/2. Transposing either map would leave the attention uniform.
TEST_CASE("logits at N = 2, T = 4 by hand, both attentions at work", "[ideal_model]") {
  IdealMaps<RunningError> maps(2, 4);
  for (int k = 0; k < 2; ++k) maps.u(k, maps.at.at(Block::E, k)) = RunningError(1);
  maps.k1(maps.at.at(Block::P, 1), maps.at.at(Block::P, 0)) = RunningError(std::log(3.0));
  maps.k2(maps.at.at(Block::E, 0), maps.at.at(Block::R, 0)) = RunningError(std::log(2.0));
  const auto trace = ideal_trace(maps, {0, 1, 1, 0});
  CHECK(trace.a1(1, 0).value == Approx(0.75).epsilon(1e-15));
  const double w1 = 2, w2 = std::pow(2, 0.75), w3 = std::cbrt(2.0), w4 = std::sqrt(2.0), sum = w1 + w2 + w3 + w4;
  // the reference: four powers within 1 ulp, two sums, one quotient; log 2 and log 3 rounded once before they are used
  const double reference_error = 16 * 0x1p-53;
  CHECK(std::abs(trace.logits[0].value - (w1 + w4) / sum) <= trace.logits[0].error + reference_error);
  CHECK(std::abs(trace.logits[1].value - (w2 + w3) / sum) <= trace.logits[1].error + reference_error);
  CHECK(trace.logits[0].error < 1e-14);
}

namespace {

// How many entries of `descent` are not -(derivative of the loss), which is differentiated in forward mode through the
// logits alone, entry by entry, with both roundoff bounds.
int disagreements(const IdealMaps<double>& maps, const Example& example, const IdealMaps<RunningError>& descent) {
  IdealMaps<RunningErrorSeries1> moving(maps.at.N, maps.at.T);
  const IdealMaps<RunningError> fixed = with_running_error(maps);
  moving.wo.assign(fixed.wo.begin(), fixed.wo.end());
  moving.wk2.assign(fixed.wk2.begin(), fixed.wk2.end());
  moving.wk1.assign(fixed.wk1.begin(), fixed.wk1.end());
  int wrong = 0;
  const auto compare = [&](std::vector<RunningErrorSeries1>& map, const std::vector<RunningError>& claimed) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      map[i][1] = RunningError(1);
      const auto l = ideal_logits(moving, example.tokens);
      const RunningError slope = (log_mean_exp(l) - l[static_cast<std::size_t>(example.targets[0].token)])[1];
      map[i][1] = RunningError(0);
      if (!(std::abs(claimed[i].value + slope.value) <= claimed[i].error + slope.error)) ++wrong;
    }
  };
  compare(moving.wo, descent.wo);
  compare(moving.wk2, descent.wk2);
  compare(moving.wk1, descent.wk1);
  return wrong;
}

}  // namespace

TEST_CASE("every entry of the backward pass is the derivative of the loss, and poisoned ones are caught", "[ideal_model]") {
  for (const auto& [T, seed] : {std::pair{4, 1}, std::pair{5, 2}}) {  // T = 5: the sequence is shorter than T
    const IdealMaps<double> maps = random_maps<double>(3, T, static_cast<std::uint64_t>(seed));
    IdealMaps<RunningError> descent(3, T);
    add_descent(with_running_error(maps), example_4, RunningError(1), {}, descent);
    CHECK(disagreements(maps, example_4, descent) == 0);
    double widest = 0, largest = 0;
    for (const auto* map : {&descent.wo, &descent.wk2, &descent.wk1})
      for (const RunningError& g : *map) {
        widest = std::max(widest, g.error);
        largest = std::max(largest, std::abs(g.value));
      }
    CHECK(widest < 1e-6 * largest);  // so that the agreement means something

    auto three_percent = descent;
    RunningError& entry = three_percent.k2(three_percent.at.at(Block::S, 1), three_percent.at.at(Block::R, 2));
    REQUIRE(entry.value != 0);
    entry.value *= 1.03;
    CHECK(disagreements(maps, example_4, three_percent) == 1);

    auto transposed = descent;
    for (int i = 0; i < maps.at.size(); ++i)
      for (int j = 0; j < maps.at.size(); ++j) transposed.k2(i, j) = descent.k2(j, i);
    CHECK(disagreements(maps, example_4, transposed) > 100);

    auto halved = descent;
    for (RunningError& g : halved.wk1) g.value *= 0.5;
    CHECK(disagreements(maps, example_4, halved) > 10);
  }
}

// L(theta + h D) - L(theta) + h <descent, D> is O(h^2) at logits of size 1e3, where a difference quotient with a fixed step
// is far off; a descent with one factor wrong by 3 % leaves O(h).
TEST_CASE("the Taylor remainder has slope 2, and slope 1 with a 3 % error (pitfall 10)", "[ideal_model]") {
  const IdealMaps<double> maps = [] {
    auto m = random_maps<double>(3, 4, 7);
    for (double& u : m.wo) u *= 1e3;
    return m;
  }();
  const IdealMaps<double> direction = random_maps<double>(3, 4, 8);
  IdealMaps<double> descent(3, 4);
  add_descent(maps, example_4, 1.0, {false, true, true}, descent);
  double along = 0;
  for (std::size_t i = 0; i < maps.wk2.size(); ++i) along += descent.wk2[i] * direction.wk2[i];
  for (std::size_t i = 0; i < maps.wk1.size(); ++i) along += descent.wk1[i] * direction.wk1[i];
  const auto remainder = [&](double h, double slope) {
    auto moved = maps;
    for (std::size_t i = 0; i < maps.wk2.size(); ++i) moved.wk2[i] += h * direction.wk2[i];
    for (std::size_t i = 0; i < maps.wk1.size(); ++i) moved.wk1[i] += h * direction.wk1[i];
    return std::abs(loss(moved, example_4) - loss(maps, example_4) + h * slope);
  };
  const auto slope = [&](double factor) {
    const double h = 0x1p-14;
    return std::log2(remainder(2 * h, factor * along) / remainder(h, factor * along));
  };
  REQUIRE(loss(maps, example_4) > 100);  // the logits are large and the target is not the largest
  CHECK(slope(1.0) == Approx(2).margin(0.1));
  CHECK(slope(1.03) == Approx(1).margin(0.1));
}

TEST_CASE("extreme logits give p - e_y, not NaN (pitfall 22)", "[ideal_model]") {
  IdealMaps<double> maps(3, 4);
  const std::vector<double> logits = {-431, 279, 427};
  for (int k = 0; k < 3; ++k) maps.u(k, maps.at.at(Block::P, 0)) = 4 * logits[static_cast<std::size_t>(k)];
  const Example example{{1, 2, 0, 1}, {{3, 0}}};
  CHECK(ideal_logits(maps, example.tokens) == logits);
  IdealMaps<double> descent(3, 4);
  add_descent(maps, example, 1.0, {}, descent);
  const int p0 = maps.at.at(Block::P, 0);  // the value has 1/4 there
  CHECK(descent.u(0, p0) == 0.25);
  CHECK(descent.u(1, p0) == Approx(-0.25 * std::exp(-148.0)).epsilon(1e-13));
  CHECK(descent.u(2, p0) == -0.25);
  for (const auto* map : {&descent.wo, &descent.wk2, &descent.wk1})
    for (const double g : *map) REQUIRE(std::isfinite(g));
}

TEST_CASE("a closed gate: W_O = 0 leaves exactly no gradient in W_K1 and W_K2, at any value of theirs", "[ideal_model]") {
  auto maps = random_maps<double>(3, 4, 5);
  IdealMaps<double> open(3, 4), closed(3, 4);
  add_descent(maps, example_4, 1.0, {}, open);
  maps.wo.assign(maps.wo.size(), 0.0);
  add_descent(maps, example_4, 1.0, {}, closed);
  CHECK(closed.wk2 == std::vector<double>(closed.wk2.size(), 0.0));
  CHECK(closed.wk1 == std::vector<double>(closed.wk1.size(), 0.0));
  CHECK(open.wk2 != closed.wk2);
  CHECK(open.wk1 != closed.wk1);
  CHECK(closed.wo != std::vector<double>(closed.wo.size(), 0.0));
}

TEST_CASE("only wanted maps are touched, the weight multiplies, and calls add up", "[ideal_model]") {
  const auto maps = random_maps<double>(3, 4, 6);
  IdealMaps<double> all(3, 4), some(3, 4), twice(3, 4);
  add_descent(maps, example_4, 1.0, {}, all);
  add_descent(maps, example_4, 1.0, {false, true, false}, some);
  CHECK(some.wk2 == all.wk2);
  CHECK(some.wo == std::vector<double>(some.wo.size(), 0.0));
  CHECK(some.wk1 == std::vector<double>(some.wk1.size(), 0.0));
  add_descent(maps, example_4, 0.5, {}, twice);
  add_descent(maps, example_4, 1.5, {}, twice);
  for (std::size_t i = 0; i < all.wk1.size(); ++i) CHECK(twice.wk1[i] == Approx(2 * all.wk1[i]).margin(1e-14));
}

TEST_CASE("the ideal model refuses what it cannot mean", "[ideal_model]") {
  const IdealMaps<Rational> zero(2, 4);
  IdealMaps<Rational> descent(2, 4), small(2, 3);
  CHECK_THROWS_AS(ideal_logits(zero, {0, 2}), HypothesisError);
  CHECK_THROWS_AS(ideal_logits(zero, {0, -1}), HypothesisError);
  CHECK_THROWS_AS(ideal_logits(zero, {}), HypothesisError);
  CHECK_THROWS_AS(ideal_logits(zero, {0, 1, 0, 1, 0}), HypothesisError);
  const auto add = [&](const Example& example, IdealMaps<Rational>& to) { add_descent(zero, example, Rational(1), {}, to); };
  CHECK_THROWS_AS(add({{0, 1, 0}, {{1, 0}}}, descent), HypothesisError);                   // not the last position
  CHECK_THROWS_AS(add({{0, 1, 0}, {}}, descent), HypothesisError);                         // no target
  CHECK_THROWS_AS(add({{0, 1, 0}, {{2, 2}}}, descent), HypothesisError);                   // target out of range
  CHECK_THROWS_AS(add({{0, 1, 0}, {{2, 0}}}, small), HypothesisError);                     // another shape
  CHECK_THROWS_AS(ideal_logits(random_maps<Rational>(2, 4, 1), {0, 1}), HypothesisError);  // irrational softmax
}
