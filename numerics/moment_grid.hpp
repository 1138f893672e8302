// The memories of the second and third step for every length up to a longest, by the route of moment_terms: what a search over
// sizes needs, without the rest of the maps.
#pragma once
#include <vector>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/moment_reads.hpp"

namespace popgrad {

// Results are by T: element i is for T = 4 + i, up to `longest`. HypothesisError unless 4 <= longest <= longest_grid, N >= 2.
class MomentGrid {
 public:
  explicit MomentGrid(int longest);  // everything that does not depend on N; O(longest^2)
  int longest() const { return longest_; }

  // The diagonal of (E,R) of moment_terms at stage 2.
  std::vector<Rational> second_diagonals(int N, Background background, Query query, Handoff handoff, Blocks blocks) const;

  // Whether every row 2 <= t <= T-1 of (P,P) has its strictly largest entry at t-1 in the last term of moment_terms at stage 3 with
  // an ideal hand-off; with an isolated one the same wherever both earlier memories are positive.
  std::vector<bool> third_recalls(int N, Background background, Query query) const;

 private:
  struct Length {
    ReadCovariance token, prefix;                     // readings token and prefix against prefix
    std::array<Rational, 3> token_weight, prefix_weight;
  };
  int longest_;
  std::vector<Length> lengths_;  // from 4
};

inline constexpr int longest_grid = 512;

}  // namespace popgrad
