#include "check/over_seeds.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "core/philox.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("mean over seeds: Student's interval of a textbook sample") {
  // 1, 2, 3, 4, 5: s^2 = 2.5, t_{4, 0.975} = 2.776445105.
  const MeanOverSeeds m = mean_over_seeds({1, 2, 3, 4, 5}, 0.95);
  CHECK(m.n == 5);
  CHECK(m.mean == 3);
  const double half = 2.776445105 * std::sqrt(2.5 / 5);
  CHECK(m.limits.value().low == Approx(3 - half).epsilon(1e-9));
  CHECK(m.limits.value().high == Approx(3 + half).epsilon(1e-9));
}

TEST_CASE("one value has no interval, no value no mean, equal values an interval of width 0") {
  CHECK(mean_over_seeds({0.5}, 0.95).mean == 0.5);
  CHECK_FALSE(mean_over_seeds({0.5}, 0.95).limits);
  CHECK(std::isnan(mean_over_seeds({}, 0.95).mean));
  CHECK(mean_over_seeds({2, 2, 2}, 0.95).limits.value().low == 2);
  CHECK(mean_over_seeds({2, 2, 2}, 0.95).limits.value().high == 2);
  CHECK_THROWS_AS(mean_over_seeds({1, std::nan("")}, 0.95), HypothesisError);
  CHECK_THROWS_AS(mean_over_seeds({1}, 1), HypothesisError);
}

TEST_CASE("the interval of five normal values covers their mean 95 times in 100") {
  int covered = 0;
  const int repeats = 4000;
  for (std::uint64_t i = 0; i < repeats; ++i) {
    Stream stream(1, Purpose::test, i);
    std::vector<double> values;
    for (int k = 0; k < 5; ++k) values.push_back(7 + 3 * stream.normal());
    const Limits limits = mean_over_seeds(values, 0.95).limits.value();
    covered += limits.low <= 7 && 7 <= limits.high;
  }
  // Binomial(4000, 0.95): mean 3800, standard deviation 13.8; 5 of them.
  CHECK(std::abs(covered - 3800) < 69);
}

TEST_CASE("fractions: the tails of the binomial law at Clopper and Pearson's limits are 2.5 %") {
  const auto at_least = [](int k, int n, double p) {
    double sum = 0;
    for (int j = k; j <= n; ++j) {
      double term = 1;
      for (int i = 1; i <= j; ++i) term *= (n - j + i) / static_cast<double>(i);
      sum += term * std::pow(p, j) * std::pow(1 - p, n - j);
    }
    return sum;
  };
  for (const int n : {1, 5, 12})
    for (int k = 0; k <= n; ++k) {
      const Limits limits = fraction_limits(k, n, 0.95);
      if (k == 0) CHECK(limits.low == 0);
      if (k > 0) CHECK(at_least(k, n, limits.low) == Approx(0.025).epsilon(1e-8));
      if (k == n) CHECK(limits.high == 1);
      if (k < n) CHECK(1 - at_least(k + 1, n, limits.high) == Approx(0.025).epsilon(1e-8));
    }
  CHECK(fraction_limits(5, 5, 0.95).low == Approx(std::pow(0.025, 0.2)).epsilon(1e-10));
  CHECK_THROWS_AS(fraction_limits(1, 0, 0.95), HypothesisError);
  CHECK_THROWS_AS(fraction_limits(6, 5, 0.95), HypothesisError);
}

TEST_CASE("the median of times counts what never came as later than all: no median once half of them have not") {
  const std::optional<double> never;
  CHECK(median_time({3, 1, 2}) == 2.0);
  CHECK(median_time({4, 1, 2, 3}) == 2.5);
  CHECK(median_time({5, never, 7}) == 7.0);
  CHECK(median_time({5, 7, 6, never}) == 6.5);
  CHECK_FALSE(median_time({5, 7, never, never}));
  CHECK_FALSE(median_time({never}));
  CHECK_FALSE(median_time({}));
}
