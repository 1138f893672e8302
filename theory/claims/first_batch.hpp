// The first comparison of theory with a trajectory: is the first minibatch gradient of a run consistent with the population
// gradient at theta_0, block by block?
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "check/consistency.hpp"
#include "numerics/run_folder.hpp"

namespace popgrad {

struct CompareOptions {
  double level = 1e-6;       // family-wise, over all statistics of the report
  std::int64_t groups = 96;  // reference batches: M = groups * train.batch sequences, at least 2
  // R minibatches of the stream at theta_0, the first of which the run has used; at least 1. Like `groups` a choice of cost
  // (about a minute at the default run), not of power: what R is worth is CompareRow::detectable.
  std::int64_t minibatches = 128;
  std::string program;  // this one, as runs record it: another one's run may differ in its last digits
  std::function<void(std::int64_t, std::int64_t)> progress;  // (reference batches done, groups)
};

// docs/theory.md, section 7, at theta_0: E g_B = G and E|g_B - G|^2 = c (1/B + 1/M) with g_B = sum of gradients / (B
// E[number of loss positions]). The first minibatch gradient is the one that the run recorded in its first update
// (judge_first_gradient compares it with the same computed anew); maps that were frozen there, runs without a record and the
// other minibatches are drawn again from the run's own stream, the reference from a stream of its own. Weights and data law
// come from the run folder alone. One minibatch decides little (the gradients of single sequences are
// heavy-tailed: absorbing cycles), so the first R of the stream are judged beside the first alone, all at theta_0. Controls:
// reversed gradient (decisive); sum instead of mean over sequences (decisive); 1.1 times the gradient; the pooled ratio of
// sums, whose bias falls like 1/B (left out where the number of loss positions is constant and the two agree); minibatches
// of another data law (bigram task: the other law of outputs; minimal task: the other background). Throws
// InputError("level", "groups" or "minibatches", ...) on values out of range.
CompareReport compare_first_batch(const RunFolder& run, const CompareOptions& options);

}  // namespace popgrad
