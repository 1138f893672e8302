#include "check/statistics.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "core/philox.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("family quantiles: textbook values") {
  CHECK(family_z(0.05, 1) == Approx(1.959963985).epsilon(1e-9));
  CHECK(family_z(0.05, 10) == Approx(2.807033768).epsilon(1e-9));  // upper 0.0025 point
  CHECK(family_t(0.05, 1, 10) == Approx(2.228138852).epsilon(1e-9));
  CHECK(family_t(1e-6, 1, 1e7) == Approx(family_z(1e-6, 1)).epsilon(1e-5));
  CHECK_THROWS_AS(family_z(0, 1), HypothesisError);
  CHECK_THROWS_AS(family_t(0.1, 0, 5), HypothesisError);
}

TEST_CASE("a 65 x 65 table at 3 sigma raises about 11 false alarms, at the family quantile none") {
  const int entries = 65 * 65;
  const double z = family_z(1e-6, entries);
  int at_three = 0, at_family = 0;
  for (int i = 0; i < entries; ++i) {
    const double x = std::abs(Stream(1, Purpose::test, static_cast<std::uint64_t>(i)).normal());
    at_three += x > 3;
    at_family += x > z;
  }
  // Binomial(4225, 0.0027): mean 11.4, standard deviation 3.4.
  CHECK(at_three >= 1);
  CHECK(at_three <= 28);
  CHECK(at_family == 0);
}

TEST_CASE("z-scores of means over 1000 seeds have mean 0 and variance 1") {
  Moments scores;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Stream stream(seed, Purpose::test, 0);
    Moments sample;
    for (int i = 0; i < 400; ++i) sample.add(stream.uniform());
    scores.add((sample.mean - 0.5) / sample.standard_error());
  }
  CHECK(std::abs(scores.mean) < 5 / std::sqrt(1000.0));
  CHECK(std::abs(scores.variance() - 1) < 5 * std::sqrt(2.0 / 1000.0));
}

TEST_CASE("moments merge as if added one by one, a mean of many equal numbers stays put") {
  Moments all, left, right;
  for (int i = 0; i < 100; ++i) {
    const double x = std::sin(i);
    all.add(x);
    (i < 37 ? left : right).add(x);
  }
  left += right;
  CHECK(left.count == 100);
  CHECK(left.mean == Approx(all.mean).epsilon(1e-12));
  CHECK(left.variance() == Approx(all.variance()).epsilon(1e-12));
  Moments same;
  for (int i = 0; i < 5'000'000; ++i) same.add(0.48);
  CHECK(std::abs(same.mean - 0.48) < 1e-12);
  CHECK_THROWS_AS(Moments{}.variance(), HypothesisError);
}

TEST_CASE("a weighted fit of exact points has their coefficients and the errors of its weights") {
  const std::vector<double> one(4, 1.0), x = {0, 1, 2, 3}, y = {1, 0.5, 0, -0.5}, error(4, 0.1);
  const Fit line = fit_linear({one, x}, y, error);
  CHECK(line.coefficient[0] == Approx(1));
  CHECK(line.coefficient[1] == Approx(-0.5));
  CHECK(line.error[1] == Approx(0.1 / std::sqrt(5.0)));         // sum (x - 1.5)^2 = 5
  CHECK(line.error[0] == Approx(0.1 * std::sqrt(14.0 / 20.0)));  // sum x^2 / (4 * 5)
  CHECK(line.chi2 < 1e-20);
  CHECK_THROWS_AS(fit_linear({one, {1, 1, 1, 1}}, y, error), HypothesisError);
  CHECK_THROWS_AS(fit_linear({one, x, x}, {1, 2}, {1, 1}), HypothesisError);
  CHECK_THROWS_AS(fit_linear({one}, y, {1, 1, 0, 1}), HypothesisError);
}

TEST_CASE("a weighted fit follows its precise points, and residuals of noise give chi2 near the degrees of freedom") {
  const Fit pulled = fit_linear({{1, 1}}, {0, 1}, {1, 0.1});
  CHECK(pulled.coefficient[0] == Approx(100.0 / 101));
  CHECK(pulled.error[0] == Approx(1 / std::sqrt(101.0)));
  Moments chi2, score;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Stream stream(seed, Purpose::test, 7);
    std::vector<double> one, x, square, y, error;
    for (int i = 0; i < 8; ++i) {
      one.push_back(1);
      x.push_back(i);
      square.push_back(i * i);
      error.push_back(0.1 + 0.05 * i);
      y.push_back(2 - 0.3 * i + 0.01 * i * i + error.back() * stream.normal());
    }
    const Fit fit = fit_linear({one, x, square}, y, error);
    chi2.add(fit.chi2);
    score.add((fit.coefficient[1] + 0.3) / fit.error[1]);
  }
  CHECK(std::abs(chi2.mean - 5) < 5 * std::sqrt(2.0 * 5 / 400));
  CHECK(std::abs(score.mean) < 5 / std::sqrt(400.0));
  CHECK(std::abs(score.variance() - 1) < 5 * std::sqrt(2.0 / 400));
}

TEST_CASE("log ratio: the value is that of the sums, common scatter cancels, independent scatter has the error of the delta method") {
  std::vector<double> a, b, c;
  for (int i = 0; i < 400; ++i) {
    a.push_back(10 + Stream(1, Purpose::test, static_cast<std::uint64_t>(i)).normal());
    b.push_back(2 * a.back());
    c.push_back(5 + Stream(2, Purpose::test, static_cast<std::uint64_t>(i)).normal());
  }
  const LogRatio common = log_ratio({b}, {a}), independent = log_ratio({a}, {c});
  CHECK(common.value == Approx(std::log(2)).epsilon(1e-12));
  CHECK(common.error < 1e-12);
  // sqrt((1/10^2 + 1/5^2)/400); the estimate of a standard deviation from 400 values scatters by 1/sqrt(800).
  CHECK(std::abs(independent.error / std::sqrt(0.05 / 400) - 1) < 6 / std::sqrt(800.0) + 0.1);
  CHECK(std::abs(independent.value - std::log(2)) < 6 * independent.error);
  CHECK(log_ratio({a, c}, {a, c}).value == Approx(0).margin(1e-12));
  CHECK_THROWS_AS(log_ratio({{1}}, {{1}}), HypothesisError);
  CHECK_THROWS_AS(log_ratio({{1, 2}}, {{1, 2, 3}}), HypothesisError);
  CHECK_THROWS_AS(log_ratio({{1, -2}}, {{1, 2}}), HypothesisError);
}
