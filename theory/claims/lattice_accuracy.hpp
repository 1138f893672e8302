// The best accuracy that a three-step construction reaches over a stated grid of step sizes, for any choice of blocks kept.
// Internal to theory/claims.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "numerics/construction.hpp"
#include "numerics/kept_blocks.hpp"

namespace popgrad {

// Sizes are chosen by what a step makes the head see, not by its length: `first` is the contrast of (U,E) in W_O after step
// 1, `second` that of (E,R) in W_K2 after step 2 (its magnitude: a step of the wrong sign stays wrong), `third` the largest
// difference of two keys in one row 2 <= t <= T-1 of (P,P) after step 3. `first` does not change which logit is largest,
// only how far p_hat is from uniform in later steps.
struct SizeGrid {
  std::vector<double> first = {1, 4}, second = {0.03, 0.3, 3, 10}, third = {3, 10, 30, 100};
  std::size_t cells() const { return first.size() * second.size() * third.size(); }
};

// sign: of each step, or of the memory in its place. -1, reversed, is for negative controls.
struct StepPlan {
  Handoff handoff = Handoff::actual;
  KeptBlocks kept{Blocks::isolated};
  std::array<double, stages> sign = {1, 1, 1};
};

struct Reached {
  Answer answer;
  double first = 0, second = 0, third = 0;  // what the head sees at these sizes, as in SizeGrid
  StageSizes sizes;                         // alpha and beta for an ideal hand-off
};

// After steps 1, 2, 3 ([0] is unused: chance). With an ideal hand-off step m starts from alpha W_O*, beta W_K2* and is
// taken, its kept blocks added, in place of the memory of its own map.
struct BestAccuracy {
  std::array<Reached, stages + 1> after;
  // The better of one and two steps: what there is without the third.
  double without_third() const;
};

// `engine`: Construction(task, Handoff::actual, Blocks::full). `fixed` sizes replace the grid. Where a step has no signal to
// be sized by (T = 4, N = 2, avoid), it is left out. Sampled accuracies choose the sizes on replicate 0; that of the sizes
// chosen is measured again on replicate 1, other sequences, at the same maps, so that being the best does not raise it.
BestAccuracy best_accuracy(const Construction& engine, const StepPlan& plan, const SizeGrid& grid,
                           const std::optional<StageSizes>& fixed = std::nullopt);

// The parameters from which the third step starts (stage = 3) or with which the answers are given (stage = 4), at these
// sizes.
InvariantMaps<double> planned_start(const Construction& engine, const StepPlan& plan, int stage, const StageSizes& sizes);

// Of W_O*, W_K2*, W_K1* at attention scores 30: an induction head.
Answer ideal_head_answer(const Construction& engine);
double ideal_head_accuracy(const Construction& engine);

}  // namespace popgrad
