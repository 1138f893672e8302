#include "numerics/bigram_rules.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace popgrad {
namespace {

bool contains(const std::vector<int>& tokens, int token) { return std::ranges::find(tokens, token) != tokens.end(); }

}  // namespace

std::vector<Target> loss_targets(const std::vector<int>& drawn, const std::vector<int>& triggers, LossKind loss) {
  require(!drawn.empty(), "loss_targets", "drawn", "at least one token", "none");
  const int T = static_cast<int>(drawn.size()) - 1;
  std::vector<Target> targets;
  std::vector<int> seen;  // triggers met so far
  for (int t = 0; t < T; ++t) {
    const int z = drawn[static_cast<std::size_t>(t)];
    bool counted = loss == LossKind::full;
    if (!counted && contains(triggers, z)) {
      counted = contains(seen, z);
      if (!counted) seen.push_back(z);
    }
    if (counted) targets.push_back({t, drawn[static_cast<std::size_t>(t) + 1]});
  }
  return targets;
}

std::vector<bool> cyclic_triggers(const std::vector<int>& triggers, const std::vector<int>& outputs) {
  require(triggers.size() == outputs.size(), "cyclic_triggers", "outputs", "one for each trigger",
          std::to_string(outputs.size()) + " for " + std::to_string(triggers.size()));
  const std::size_t K = triggers.size();
  std::vector<std::size_t> next(K);  // index of the trigger that o_k is, K if it is none
  for (std::size_t k = 0; k < K; ++k)
    next[k] = static_cast<std::size_t>(std::ranges::find(triggers, outputs[k]) - triggers.begin());
  std::vector<bool> cyclic(K, false);
  for (std::size_t k = 0; k < K; ++k) {
    std::size_t at = next[k];
    for (std::size_t step = 1; step < K && at != K && at != k; ++step) at = next[at];  // no cycle is longer than K
    cyclic[k] = at == k;
  }
  return cyclic;
}

}  // namespace popgrad
