#include "check/order_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <string>

#include "check/rank_sums.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

void require_numbers(const char* function, const std::vector<double>& first, const std::vector<double>& second) {
  for (const auto* list : {&first, &second})
    for (const double x : *list) require(!std::isnan(x), function, "values", "numbers or never", "NaN");
}

void count(OrderTest& test, double first, double second) {
  ++test.comparisons;
  test.smaller += first < second ? 1 : 0;
  test.ties += first == second ? 1 : 0;
}

void finish(OrderTest& test) { test.superiority = (test.smaller + 0.5 * test.ties) / test.comparisons; }

void require_level(const char* function, double level) {
  require(level > 0 && level < 1, function, "level", "between 0 and 1", std::to_string(level));
}

// P(Bin(n, theta) >= k).
double upper_tail(int n, double theta, int k) {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return boost::math::cdf(complement(boost::math::binomial(n, theta), k - 1));
}

// The fewest pairs in order at which the sign test rejects; n + 1 if it never does.
int least_in_order(int pairs, double level) {
  int k = pairs + 1;
  while (k > 0 && upper_tail(pairs, 0.5, k - 1) <= level) --k;
  return k;
}

template <class Power>
double smallest_detected(Power power) {
  constexpr double wanted = 0.8;
  double low = 0.5, high = 1;
  if (power(1 - 1e-9) < wanted) return 1;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    (power(middle) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace

OrderTest sign_test(const std::vector<double>& first, const std::vector<double>& second) {
  require(!first.empty() && first.size() == second.size(), "sign_test", "first, second", "of one size, at least 1",
          std::to_string(first.size()) + ", " + std::to_string(second.size()));
  require_numbers("sign_test", first, second);
  OrderTest test;
  for (std::size_t i = 0; i < first.size(); ++i) count(test, first[i], second[i]);
  finish(test);
  test.p = upper_tail(test.comparisons, 0.5, test.smaller);
  test.p_opposite = upper_tail(test.comparisons, 0.5, test.comparisons - test.smaller - test.ties);
  return test;
}

OrderTest rank_sum_test(const std::vector<double>& first, const std::vector<double>& second) {
  require_numbers("rank_sum_test", first, second);
  const RankSums null(twice_mid_ranks(first, second), static_cast<int>(first.size()));
  OrderTest test;
  for (const double a : first)
    for (const double b : second) count(test, a, b);
  finish(test);
  const std::vector<int> ranks = twice_mid_ranks(first, second);
  const int sum = std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(first.size()), 0);
  test.p = null.at_most(sum);
  test.p_opposite = null.at_least(sum);
  return test;
}

double sign_test_power_at(int pairs, double level, double theta) {
  require_level("sign_test_power_at", level);
  return upper_tail(pairs, theta, least_in_order(pairs, level));
}

TestPower sign_test_power(int pairs, double level) {
  require(pairs >= 1, "sign_test_power", "pairs", "at least 1", std::to_string(pairs));
  return {std::pow(0.5, pairs), sign_test_power_at(pairs, level, 0.5),
          smallest_detected([&](double theta) { return sign_test_power_at(pairs, level, theta); })};
}

double rank_sum_power_at(int first, int second, double level, double theta) {
  require_level("rank_sum_power_at", level);
  require(theta > 0 && theta < 1, "rank_sum_power_at", "theta", "between 0 and 1", std::to_string(theta));
  const RankSums null(ranks_without_ties(first + second), first);
  return lehmann_rank_sums(first, second, theta / (1 - theta), null.largest_within(level));
}

TestPower rank_sum_power(int first, int second, double level) {
  const RankSums null(ranks_without_ties(first + second), first);
  const int within = null.largest_within(level);
  return {null.at_most(first * (first + 1)), null.at_most(within),
          smallest_detected([&](double theta) { return lehmann_rank_sums(first, second, theta / (1 - theta), within); })};
}

int fewest_pairs(double level) {
  require_level("fewest_pairs", level);
  int pairs = 1;
  while (std::pow(0.5, pairs) > level) ++pairs;
  return pairs;
}

int fewest_on_each_side(double level) {
  require_level("fewest_on_each_side", level);
  double smallest = 0.5;  // 1 / C(2n, n)
  int n = 1;
  for (; smallest > level; ++n) smallest *= (n + 1.0) / (2 * (2 * n + 1.0));
  return n;
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double so_far = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    so_far = std::max(so_far, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = so_far;
  }
  return adjusted;
}

}  // namespace popgrad
