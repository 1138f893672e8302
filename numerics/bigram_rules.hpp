// The two rules of the bigram task that need no random draw: where copying is possible, and which triggers trap a sequence.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/example.hpp"

namespace popgrad {

// The outputs of the triggers of one sequence, by token; tokens are 0..255.
class TriggerOutputs {
 public:
  TriggerOutputs() { output_.fill(-1); }
  // HypothesisError unless triggers are distinct, outputs has the same size, and all are tokens.
  TriggerOutputs(const std::vector<int>& triggers, const std::vector<int>& outputs);
  void set(int q, int o) { output_[static_cast<std::size_t>(q)] = static_cast<std::int16_t>(o); }
  int after(int z) const { return output_[static_cast<std::size_t>(z)]; }  // -1: z is no trigger
  bool is_trigger(int z) const { return after(z) >= 0; }

 private:
  std::array<std::int16_t, 256> output_;
};

// drawn: z_1..z_{T+1}, at least one token. heads: the t <= T such that z_t is a trigger and #{s <= t : z_s = z_t} >= 2, so
// that its output can be read off the sequence itself; the target is z_{t+1}. O(T).
void find_heads(const std::vector<int>& drawn, const TriggerOutputs& outputs, std::vector<Target>& heads);

// Whether trigger q is on a cycle: q is followed by its output, and following outputs as long as they are triggers leads
// back to q. A sequence that meets such a trigger repeats the cycle for ever. o = q is a cycle of length 1. One flag a
// trigger, false elsewhere; O(K).
struct CyclicTokens {
  std::array<bool, 256> on{};
  bool any = false;
};
CyclicTokens cyclic_tokens(const std::vector<int>& triggers, const TriggerOutputs& outputs);

}  // namespace popgrad
