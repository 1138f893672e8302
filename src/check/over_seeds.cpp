#include "check/over_seeds.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "check/statistics.hpp"
#include "core/errors.hpp"
#include "core/moments.hpp"

namespace popgrad {
namespace {

void require_level(const char* function, double level) {
  require(level > 0 && level < 1, function, "level", "between 0 and 1", std::to_string(level));
}

}  // namespace

MeanOverSeeds mean_over_seeds(const std::vector<double>& values, double level) {
  require_level("mean_over_seeds", level);
  Moments moments;
  for (const double x : values) {
    require(std::isfinite(x), "mean_over_seeds", "values", "finite", std::to_string(x));
    moments.add(x);
  }
  const auto n = static_cast<int>(values.size());
  if (n == 0) return {0, std::nan(""), {}};
  if (n == 1) return {1, moments.mean, {}};
  const double half = family_t(1 - level, 1, n - 1) * moments.standard_error();
  return {n, moments.mean, Limits{moments.mean - half, moments.mean + half}};
}

Limits fraction_limits(int successes, int n, double level) {
  require_level("fraction_limits", level);
  require(n >= 1 && 0 <= successes && successes <= n, "fraction_limits", "successes, n", "0 <= successes <= n, n >= 1",
          std::to_string(successes) + ", " + std::to_string(n));
  using Binomial = boost::math::binomial_distribution<double>;
  const double tail = (1 - level) / 2;
  // The limits of 0 of n and n of n are known; boost refuses to look for them.
  return {successes == 0 ? 0 : Binomial::find_lower_bound_on_p(n, successes, tail),
          successes == n ? 1 : Binomial::find_upper_bound_on_p(n, successes, tail)};
}

std::optional<double> median_time(const std::vector<std::optional<double>>& times) {
  if (times.empty()) return std::nullopt;
  std::vector<double> sorted;
  for (const auto& time : times) sorted.push_back(time.value_or(std::numeric_limits<double>::infinity()));
  std::ranges::sort(sorted);
  const double above = sorted[sorted.size() / 2], below = sorted[(sorted.size() - 1) / 2];
  if (std::isinf(above)) return std::nullopt;
  return below + (above - below) / 2;
}

}  // namespace popgrad
