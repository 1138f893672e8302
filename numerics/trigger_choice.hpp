// Which tokens may be triggers of the bigram task.
#pragma once
#include <vector>

#include "numerics/bigram_task.hpp"

namespace popgrad {

// Tokens by falling frequency; equal counts in the order of tokens, so that the ranking is the same everywhere. N of them.
std::vector<int> tokens_by_frequency(const BigramCounts& counts);

// fixed: exactly the K triggers, ranks offset..offset+K-1 (hypothesis: 0 <= offset <= N - K). random: every token that
// occurs.
std::vector<int> possible_triggers(const BigramCounts& counts, const BigramTask& task);

}  // namespace popgrad
