// The law of a rank sum: enumerated over all choices, given the ranks, and under proportional hazards.
#pragma once
#include <vector>

namespace popgrad {

// Twice the rank of every value of `first`, then of `second`, among all; equal values share the mean of their ranks.
std::vector<int> twice_mid_ranks(const std::vector<double>& first, const std::vector<double>& second);
// 2, 4, .., 2n.
std::vector<int> ranks_without_ties(int n);

// The sum of the (doubled) ranks of `chosen` of the values, all C(n, chosen) choices equally likely. HypothesisError unless
// 1 <= chosen < n <= 80.
class RankSums {
 public:
  RankSums(const std::vector<int>& ranks, int chosen);
  double at_most(int sum) const;
  double at_least(int sum) const;
  // The largest sum with at_most(sum) <= level; -1 if there is none.
  int largest_within(double level) const;

 private:
  std::vector<double> probability_;  // by sum
};

// P(doubled rank sum of the first <= `sum`) where the next smallest of a first and b second values that are left is a first with
// probability hazard a / (hazard a + b).
double lehmann_rank_sums(int first, int second, double hazard, int sum);

}  // namespace popgrad
