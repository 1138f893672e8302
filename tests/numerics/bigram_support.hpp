// Short-hands of the tests of the bigram sampler.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "numerics/bigram_task.hpp"

namespace popgrad {

// A task with the full loss, whose targets show every token that was drawn.
inline BigramTask full_loss_task(int T, int K, Triggers triggers, Outputs outputs, bool distinct = false, int offset = 0) {
  BigramTask t;
  t.T = T;
  t.K = K;
  t.triggers = triggers;
  t.outputs = outputs;
  t.distinct = distinct;
  t.offset = offset;
  t.loss = LossKind::full;
  return t;
}

// z_1..z_{T+1} of a sample of such a task: the targets of the full loss are z_2..z_{T+1}.
inline std::vector<int> drawn(const Sequence& sample) {
  std::vector<int> z = sample.example.tokens;
  z.push_back(sample.example.targets.back().token);
  return z;
}

inline bool same_targets(const std::vector<Target>& a, const std::vector<Target>& b) {
  return std::ranges::equal(a, b, [](const Target& x, const Target& y) { return x.position == y.position && x.token == y.token; });
}

inline std::size_t at_index(int n) { return static_cast<std::size_t>(n); }

}  // namespace popgrad
