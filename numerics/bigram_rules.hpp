// The two rules of the bigram task that need no random draw: where the loss is, and which triggers trap a sequence.
#pragma once
#include <vector>

#include "core/example.hpp"
#include "numerics/bigram_task.hpp"

namespace popgrad {

// drawn: z_1..z_{T+1}, at least one token. The target at t <= T is z_{t+1}. full: every t. head: t such that z_t is a
// trigger and #{s <= t : z_s = z_t} >= 2, so that its output can be read off the sequence itself.
std::vector<Target> loss_targets(const std::vector<int>& drawn, const std::vector<int>& triggers, LossKind loss);

// K flags: trigger q_k is followed by output o_k, and following outputs as long as they are triggers leads back to q_k.
// A sequence that meets such a trigger repeats the cycle for ever. o_k = q_k is a cycle of length 1.
// Hypotheses: triggers are distinct, outputs has the same size.
std::vector<bool> cyclic_triggers(const std::vector<int>& triggers, const std::vector<int>& outputs);

}  // namespace popgrad
