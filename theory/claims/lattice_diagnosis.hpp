// Which blocks keep the head of a lattice row from forming: found by leaving them out of every step. Internal to
// theory/claims.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "numerics/score_shares.hpp"
#include "theory/claims/lattice.hpp"

namespace popgrad {

// Accuracy with some blocks kept, and whether that counts as forming: at least halfway from what is reached without the
// third step (chance at least) to the accuracy of the ideal head.
struct Attempt {
  BestAccuracy accuracy;
  double threshold = 0;
  double ideal_error = 0;  // standard error of the accuracy of the ideal head
  double with_third() const { return accuracy.after[3].answer.accuracy; }
  double margin() const { return with_third() - threshold; }
  bool forms() const { return margin() >= 0; }
};
// Of the accuracy after step 3 against the threshold: roundoff, or sampling at a family-wise level over `comparisons`.
Budget threshold_budget(const Attempt& made, double level, double comparisons);
// "The accuracy is at least (`forms`), or at most, the threshold": the difference is how far it lies on the wrong side.
Entry threshold_entry(const std::string& what, const Attempt& made, bool forms, double level, double comparisons);
// Of a row with so many entries: each is the best of the cells of the grid.
double comparisons_of(const LatticeOptions& options, std::size_t entries);
Attempt attempt(const Construction& engine, const StepPlan& plan, const LatticeOptions& options, double ideal_head);

struct BlockRole {
  MapBlock block;
  double factor = 0;  // overwhelming_factor where the third step starts (W_O, W_K2) or ends (W_K1)
  Attempt without;    // all kept but this one
  Attempt alone;      // the memory blocks and this one
};

struct Diagnosis {
  std::vector<BlockRole> roles;   // of the blocks kept that are not memory blocks
  std::vector<MapBlock> removed;  // found one after the other, each the one without which the margin is largest
  Attempt without_removed;
  bool restored() const { return !removed.empty() && without_removed.forms(); }
  // "(P,S) of W_K2 x 13": the block kept that overwhelms most.
  const BlockRole* largest() const;
};

inline constexpr int most_removed = 4;
Diagnosis diagnose(const Construction& engine, const LatticeSwitches& switches, const LatticeOptions& options,
                   double ideal_head, const StageSizes& sizes);
std::string describe(const Diagnosis& diagnosis);

}  // namespace popgrad
