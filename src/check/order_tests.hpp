// Exact one-sided tests that one of two quantities is the smaller, over seeds: times at which something happened, or values.
#pragma once
#include <limits>
#include <vector>

namespace popgrad {

// The time of what did not happen within a run: later than every time, tied with its like.
inline constexpr double never = std::numeric_limits<double>::infinity();

struct OrderTest {
  double superiority = 0.5;  // share of comparisons in which the first is smaller, a tie counting one half
  double p = 1;              // of "the first is smaller": the chance under the null of a result at least as much in its favour
  double p_opposite = 1;     // of "the second is smaller"
  int smaller = 0, ties = 0, comparisons = 0;
};

// Paired, one pair a seed. Null: P(first < second) <= 1/2; no symmetry is assumed. p = P(Bin(n, 1/2) >= #{first < second}), so a
// tie counts against either order. HypothesisError unless both have the same size, at least 1, and no entry is NaN.
OrderTest sign_test(const std::vector<double>& first, const std::vector<double>& second);

// Wilcoxon, Mann and Whitney; independent seeds on both sides. Null: both have one law. The distribution of the rank sum over all
// choices of which seeds are the first is enumerated, given the ties (equal values share the mean of their ranks). It rejects
// P(first < second) = 1/2 also where the laws have different spreads, then not exactly at its level: full separation of n and m
// values has probability up to 2^-min(n,m). HypothesisError unless both sizes are in 1..40 and no entry is NaN.
OrderTest rank_sum_test(const std::vector<double>& first, const std::vector<double>& second);

// What a test can do, known before any run. `size`: the chance under the null, without ties, to reject at `level`; 0 if even the
// most extreme result does not. `detectable`: the smallest P(first < second) that is found with probability 0.8; 1 if none is.
struct TestPower {
  double smallest_p = 1;
  double size = 0;
  double detectable = 1;
};
TestPower sign_test_power(int pairs, double level);
// Alternative: hazards in proportion k to 1 (Lehmann), P(first < second) = k/(k + 1); power by recursion over the order of ranks.
TestPower rank_sum_power(int first, int second, double level);
// Probability to reject where P(first < second) = theta in (0, 1).
double sign_test_power_at(int pairs, double level, double theta);
double rank_sum_power_at(int first, int second, double level, double theta);

// The fewest pairs, or seeds on each side, with which the test can reject at `level` at all. 0 < level < 1.
int fewest_pairs(double level);
int fewest_on_each_side(double level);

// Holm's step-down: adjusted p values, in the order given; rejecting those at most `level` keeps the family-wise level.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace popgrad
