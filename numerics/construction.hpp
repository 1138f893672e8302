// The three-step construction carried out at full softmax and given step sizes, at any N and T: the maps after each step, and how
// often they answer right.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/stages.hpp"
#include "numerics/answer.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {

struct ConstructionOptions {
  std::int64_t gradient_samples = 20000;  // sequences for each gradient that is not exact
  std::int64_t samples = 20000;           // sequences for each accuracy that is not exact
  std::uint64_t seed = 1;
  int longest_sum = 9;  // up to this T gradients and accuracies are sums over all orbits
};

// Maps after 0, 1, 2 and 3 steps.
using MapsAfterSteps = std::array<InvariantMaps<double>, stages + 1>;

class Construction {
 public:
  // InputError for a bad task, HypothesisError unless labels are uniform.
  Construction(const MinimalTask& task, Handoff handoff, Blocks blocks, const ConstructionOptions& options = {});
  const MinimalTask& task() const { return task_; }
  const ConstructionOptions& options() const { return options_; }
  bool exact() const { return task_.T <= options_.longest_sum; }

  // What stage `stage` adds to `start` per unit of its size: the memory (ideal hand-off), or -dL/d(its map) at `start` (actual), of
  // isolated blocks the memory block alone. `start` need not come from this construction: its blocks may be missing or scaled.
  //   T <= longest_sum    sum over orbits, up to roundoff
  //   stage 1             exact at any T (moment_terms): zero is the start whatever `start` is
  //   else                sample_descent with the leading order as control variate where its mean is known: stage 2, and stage 3
  //                       when only (U,E) and (E,R) of `start` are not zero. Replicates draw other sequences.
  InvariantMaps<double> step(int stage, const InvariantMaps<double>& start, int replicate = 0) const;

  // Steps of these sizes one after the other; gradients of later stages at the maps after the earlier ones.
  MapsAfterSteps after_steps(const StageSizes& sizes, int replicate = 0) const;

  // Accuracy at maps; replicates draw other sequences.
  Answer answer(const InvariantMaps<double>& maps, int replicate = 0) const;

  // Accuracy after 0..3 steps, mean over `replicates` of everything, gradients included. Its standard error: the larger of what the
  // evaluations alone give and of the scatter between replicates (from two on), which has the error of the gradients in it. A
  // sampled gradient moves an accuracy by a bias of second order in its error, too: more gradient_samples shows it.
  std::array<Answer, stages + 1> answers(const StageSizes& sizes, int replicates = 1, int first_replicate = 0) const;

  // Step sizes at which each step is of order one: eta1 with (U,E) contrast 1; eta2 with (E,R) contrast 1 at that W_O to leading
  // order, in magnitude; eta3 with a memory signal 1 in row T-1 when both contrasts are 1, to leading order. An ideal hand-off has
  // 1, 1, 1. eta2 is infinite where the second step has no signal (T = 4, N = 2, avoid).
  StageSizes unit_sizes() const;

 private:
  MinimalTask task_;
  Handoff handoff_;
  Blocks blocks_;
  ConstructionOptions options_;
  // -dL/dW_O at zero; the leading order of -dL/dW_K2 per (U,E) contrast and per (U,R) contrast; that of -dL/dW_K1 per product of
  // the (U,E) and (E,R) contrasts, and per (U,E) contrast.
  InvariantMaps<double> first_, second_by_token_, second_by_remapped_, third_, third_by_token_;
};

// As Construction::answers.
std::array<Answer, stages + 1> answers_after_steps(const MinimalTask& task, Handoff handoff, Blocks blocks, const StageSizes& sizes,
                                                   const ConstructionOptions& options = {}, int replicates = 1);

}  // namespace popgrad
