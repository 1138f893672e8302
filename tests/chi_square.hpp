// Pearson's chi-square test of observed counts against given probabilities.
#pragma once
#include <boost/math/distributions/chi_squared.hpp>
#include <cstdint>
#include <vector>

#include "tests/catch.hpp"

namespace popgrad {

struct ChiSquare {
  double statistic = 0;
  double degrees = 0;

  // One multinomial sample. Cells with fewer than 5 expected counts are pooled into one. A count in a cell of probability
  // zero is a failure by itself, whatever its size.
  void add(const std::vector<std::int64_t>& observed, const std::vector<double>& probability) {
    REQUIRE(observed.size() == probability.size());
    double n = 0, pooled_observed = 0, pooled_expected = 0;
    for (const auto count : observed) n += static_cast<double>(count);
    int cells = 0;
    const auto cell = [&](double got, double expected) {
      statistic += (got - expected) * (got - expected) / expected;
      ++cells;
    };
    for (std::size_t i = 0; i < observed.size(); ++i) {
      const double got = static_cast<double>(observed[i]), expected = n * probability[i];
      if (probability[i] == 0 && observed[i] > 0) impossible = true;
      if (expected >= 5) {
        cell(got, expected);
      } else {
        pooled_observed += got;
        pooled_expected += expected;
      }
    }
    if (pooled_expected > 0) cell(pooled_observed, pooled_expected);
    degrees += cells - 1;
  }

  // Accepted at the level: nothing impossible, and the statistic below the upper quantile of chi-square.
  bool accepts(double level = 1e-6) const { return !impossible && statistic < critical(level); }
  double critical(double level) const {
    return boost::math::quantile(boost::math::complement(boost::math::chi_squared(degrees), level));
  }

  bool impossible = false;
};

}  // namespace popgrad
