#include "numerics/trigger_choice.hpp"

#include <algorithm>
#include <numeric>

#include "core/errors.hpp"

namespace popgrad {

std::vector<int> tokens_by_frequency(const BigramCounts& counts) {
  std::vector<int> ranked(counts.unigram.size());
  std::iota(ranked.begin(), ranked.end(), 0);
  std::ranges::stable_sort(ranked, [&](int a, int b) {
    return counts.unigram[static_cast<std::size_t>(a)] > counts.unigram[static_cast<std::size_t>(b)];
  });
  return ranked;
}

std::vector<int> possible_triggers(const BigramCounts& counts, const BigramTask& task) {
  std::vector<int> ranked = tokens_by_frequency(counts);
  if (task.triggers == Triggers::fixed) {
    require(0 <= task.offset && task.K >= 0 && task.offset + task.K <= counts.N(), "possible_triggers", "offset",
            "between 0 and N - K", std::to_string(task.offset));
    return {ranked.begin() + task.offset, ranked.begin() + task.offset + task.K};
  }
  std::erase_if(ranked, [&](int z) { return counts.unigram[static_cast<std::size_t>(z)] == 0; });
  return ranked;
}

}  // namespace popgrad
