// What repetitions with different seeds say: means and fractions with confidence intervals, and times that may not have
// come.
#pragma once
#include <optional>
#include <vector>

namespace popgrad {

struct Limits {
  double low = 0, high = 0;
};

// Mean of n values and Student's interval, mean -+ t_{n-1} s/sqrt(n). Hypothesis: the values are independent draws of one
// normal law (seeds are independent; the law of an accuracy near 1 is skewed, and the interval then covers less often than
// it says).
struct MeanOverSeeds {
  int n = 0;
  double mean = 0;               // NaN without a value
  std::optional<Limits> limits;  // nothing below two values
};
// level: 0.95 for 95 %. HypothesisError unless 0 < level < 1 and all values are finite.
MeanOverSeeds mean_over_seeds(const std::vector<double>& values, double level);

// Exact interval of Clopper and Pearson for a probability of which `successes` of n independent trials were seen: covers
// with at least `level`. HypothesisError unless 0 <= successes <= n, n >= 1, 0 < level < 1.
Limits fraction_limits(int successes, int n, double level);

// Median of times of which some never came: those count as later than all others. Nothing where the median is such a time,
// or there is no time at all.
std::optional<double> median_time(const std::vector<std::optional<double>>& times);

}  // namespace popgrad
