#include "theory/formulas/onestep_moments.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "core/rational.hpp"
#include "simulate_onestep.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("one-step moments: exact values at tiny N and d") {
  // Provenance: the logits expanded as polynomials in the Gaussian entries, E of every monomial from E x^{2m} =
  // (2m-1)!!/d^m, in rational arithmetic, in a separate program.
  struct Golden {
    int N, d;
    Rational right, wrong, right_wrong, wrong_wrong;
  };
  const std::vector<Golden> golden = {{2, 1, Rational(23, 4), Rational(23, 4), Rational(-11, 4), 0},
                                      {2, 2, Rational(31, 16), Rational(31, 16), Rational(-17, 16), 0},
                                      {3, 1, Rational(28, 3), Rational(25, 3), -2, -1},
                                      {3, 2, Rational(55, 18), Rational(95, 36), Rational(-7, 9), Rational(-13, 36)},
                                      {4, 1, Rational(195, 16), Rational(171, 16), Rational(-25, 16), Rational(-13, 16)}};
  for (const auto& g : golden) {
    INFO("N=" << g.N << " d=" << g.d);
    const Bindings at = {{"N", g.N}, {"d", g.d}};
    CHECK(onestep_mean_right().evaluate_exact(at) == 1 - Rational(1, g.N));
    CHECK(onestep_mean_wrong().evaluate_exact(at) == -Rational(1, g.N));
    CHECK(onestep_variance_right().evaluate_exact(at) == g.right);
    CHECK(onestep_variance_wrong().evaluate_exact(at) == g.wrong);
    CHECK(onestep_covariance_right_wrong().evaluate_exact(at) == g.right_wrong);
    if (g.N > 2) CHECK(onestep_covariance_wrong_wrong().evaluate_exact(at) == g.wrong_wrong);
  }
}

TEST_CASE("one-step moments: exact over leading variance at N = 64 falls from 0.998 to 0.986, to 1 - 1/N + 2/(3 N^2)") {
  const auto ratio = [](double d) {
    const Bindings at = {{"N", 64}, {"d", d}};
    return onestep_variance_wrong().evaluate(at) / onestep_variance_leading().evaluate(at);
  };
  CHECK(std::abs(ratio(32) - 0.998) <= 0.0005);
  CHECK(std::abs(ratio(512) - 0.986) <= 0.0005);
  CHECK(std::abs(ratio(1e9) - (63.0 / 64 + 2.0 / (3 * 64 * 64))) <= 1e-7);
  CHECK(std::abs(ratio(1e9) - 63.0 / 64) > 1e-7);  // 1 - 1/N alone is short by 1.6e-4
  CHECK(ratio(32) > ratio(64));
}

TEST_CASE("one-step moments agree with simulation, and would not without the 2/d") {
  const int N = 5, d = 3, samples = 60000;
  const Bindings at = {{"N", N}, {"d", d}};
  const double right = onestep_mean_right().evaluate(at), wrong = onestep_mean_wrong().evaluate(at);
  struct Product {
    double predicted = 0, sum = 0, squares = 0;
    double mean(int n) const { return sum / n; }
    double error(int n) const { return std::sqrt((squares / n - mean(n) * mean(n)) / n); }
  };
  std::array<Product, 4> products = {
      Product{onestep_variance_right().evaluate(at)}, Product{onestep_variance_wrong().evaluate(at)},
      Product{onestep_covariance_right_wrong().evaluate(at)}, Product{onestep_covariance_wrong_wrong().evaluate(at)}};
  for (int sample = 0; sample < samples; ++sample) {
    const auto logits = popgrad_test::draw_logits(N, d, 7, static_cast<std::uint64_t>(sample));
    const double r = logits[0] - right, w = logits[1] - wrong, v = logits[2] - wrong;
    const std::array<double, 4> values = {r * r, w * w, r * w, w * v};
    for (std::size_t i = 0; i < 4; ++i) {
      products[i].sum += values[i];
      products[i].squares += values[i] * values[i];
    }
  }
  // Heavy tails (fourth moments of eighth-order polynomials): a wide 6 standard errors.
  for (const auto& p : products) {
    INFO("predicted " << p.predicted << " simulated " << p.mean(samples) << " +- " << p.error(samples));
    CHECK(std::abs(p.mean(samples) - p.predicted) <= 6 * p.error(samples));
  }
  // Poisoned: (1 + 2/d) replaced by 1 in the wrong variance, that is less by (2/d) E B_j^2, E B_j^2 = wrong mean^2 + its
  // variance.
  const double mean_variance = (3.0 / d + (N - 1) * 2.0 / d) / (N * N);
  const double second = 2.0 / d * (1 - 2.0 / N) + mean_variance + wrong * wrong;
  CHECK(std::abs(products[1].mean(samples) - (products[1].predicted - 2.0 / d * second)) > 6 * products[1].error(samples));
}

TEST_CASE("one-step logit at d = infinity") {
  CHECK(onestep_logit_ideal().evaluate_exact({{"N", 4}, {"eta", 8}, {"delta_jk", 1}}) == Rational(3, 2));
  CHECK(onestep_logit_ideal().evaluate_exact({{"N", 4}, {"eta", 8}, {"delta_jk", 0}}) == Rational(-1, 2));
}
