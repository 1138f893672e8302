// The bigram task written down plainly, number by number: what the fast sampler must draw.
#pragma once
#include "numerics/bigram_task.hpp"

namespace popgrad::oracle {

// Sample `index` of stream (seed, purpose), by division and by search along cumulative counts, from words of philox taken
// one block at a time. Shares no code with the library but the task, the counts and the ranking of fixed triggers.
Sequence draw_bigram(const BigramCounts& counts, const BigramTask& task, std::uint64_t seed, Purpose purpose,
                     std::uint64_t index);

}  // namespace popgrad::oracle
