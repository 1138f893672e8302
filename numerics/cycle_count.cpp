#include "numerics/cycle_count.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/bigram_rules.hpp"

namespace popgrad {

double CycleCount::standard_error() const { return std::sqrt(fraction() * (1 - fraction()) / static_cast<double>(samples)); }

CycleCount& CycleCount::operator+=(const CycleCount& other) {
  samples += other.samples;
  cycles += other.cycles;
  absorbed += other.absorbed;
  return *this;
}

CycleCount count_cycles(const BigramSampler& sampler, std::uint64_t seed, Purpose purpose, std::int64_t samples) {
  require(samples >= 1, "count_cycles", "samples", "at least 1", std::to_string(samples));
  return ordered_sum(samples, 256, CycleCount{}, [&](std::int64_t i, CycleCount& count) {
    const BigramSample sample = sampler.draw(seed, purpose, static_cast<std::uint64_t>(i));
    ++count.samples;
    if (!sample.cycle) return;
    ++count.cycles;
    const std::vector<bool> cyclic = cyclic_triggers(sample.triggers, sample.outputs);
    const auto last = std::ranges::find(sample.triggers, sample.example.tokens.back());
    if (last != sample.triggers.end() && cyclic[static_cast<std::size_t>(last - sample.triggers.begin())]) ++count.absorbed;
  });
}

}  // namespace popgrad
