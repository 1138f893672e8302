#include "check/rank_sums.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/errors.hpp"

namespace popgrad {

std::vector<int> twice_mid_ranks(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  std::vector<int> ranks;
  for (const double x : all) {
    int below = 0, equal = 0;
    for (const double y : all) {
      below += y < x ? 1 : 0;
      equal += y == x ? 1 : 0;
    }
    ranks.push_back(2 * below + equal + 1);  // ranks below + 1 .. below + equal
  }
  return ranks;
}

std::vector<int> ranks_without_ties(int n) {
  std::vector<int> ranks;
  for (int i = 1; i <= n; ++i) ranks.push_back(2 * i);
  return ranks;
}

RankSums::RankSums(const std::vector<int>& ranks, int chosen) {
  const int n = static_cast<int>(ranks.size());
  require(chosen >= 1 && chosen < n && n <= 80, "RankSums", "chosen, n", "1 <= chosen < n <= 80",
          std::to_string(chosen) + ", " + std::to_string(n));
  const std::size_t sums = static_cast<std::size_t>(std::accumulate(ranks.begin(), ranks.end(), 0)) + 1;
  // by number chosen, by sum: the share of choices so far. Value i of n is chosen with probability (those still to choose) / (n - i).
  std::vector<std::vector<double>> law(static_cast<std::size_t>(chosen) + 1, std::vector<double>(sums, 0.0));
  law[0][0] = 1;
  for (int i = 0; i < n; ++i) {
    const auto rank = static_cast<std::size_t>(ranks[static_cast<std::size_t>(i)]);
    for (int k = std::min(i, chosen); k >= 0; --k) {
      auto& here = law[static_cast<std::size_t>(k)];
      const double take = std::min(1.0, static_cast<double>(chosen - k) / (n - i));
      for (std::size_t s = sums; s-- > 0;) {
        if (here[s] == 0) continue;
        if (k < chosen) law[static_cast<std::size_t>(k) + 1][s + rank] += here[s] * take;
        here[s] *= 1 - take;
      }
    }
  }
  probability_ = law.back();
}

double RankSums::at_most(int sum) const {
  double total = 0;
  for (int s = 0; s <= sum && s < static_cast<int>(probability_.size()); ++s) total += probability_[static_cast<std::size_t>(s)];
  return std::min(1.0, total);
}

double RankSums::at_least(int sum) const {
  double total = 0;
  for (int s = static_cast<int>(probability_.size()) - 1; s >= std::max(sum, 0); --s) total += probability_[static_cast<std::size_t>(s)];
  return std::min(1.0, total);
}

int RankSums::largest_within(double level) const {
  int largest = -1;
  double total = 0;
  for (std::size_t s = 0; s < probability_.size(); ++s) {
    total += probability_[s];
    if (total > level) break;
    if (probability_[s] > 0) largest = static_cast<int>(s);
  }
  return largest;
}

double lehmann_rank_sums(int first, int second, double hazard, int sum) {
  if (sum < 0) return 0;
  // law[i][s]: i of the first taken so far, doubled rank sum s.
  std::vector<std::vector<double>> law(static_cast<std::size_t>(first) + 1, std::vector<double>(static_cast<std::size_t>(sum) + 1, 0.0));
  law[0][0] = 1;
  for (int rank = 1; rank <= first + second; ++rank) {
    auto next = std::vector<std::vector<double>>(law.size(), std::vector<double>(law[0].size(), 0.0));
    for (int i = 0; i <= std::min(first, rank - 1); ++i) {
      const int left = first - i, others = second - (rank - 1 - i);
      if (others < 0) continue;
      const double take = hazard * left / (hazard * left + others);
      for (int s = 0; s <= sum; ++s) {
        const double here = law[static_cast<std::size_t>(i)][static_cast<std::size_t>(s)];
        if (here == 0) continue;
        if (left > 0 && s + 2 * rank <= sum) next[static_cast<std::size_t>(i) + 1][static_cast<std::size_t>(s + 2 * rank)] += here * take;
        if (others > 0) next[static_cast<std::size_t>(i)][static_cast<std::size_t>(s)] += here * (1 - take);
      }
    }
    law = std::move(next);
  }
  double total = 0;
  for (const double p : law.back()) total += p;
  return std::min(1.0, total);
}

}  // namespace popgrad
