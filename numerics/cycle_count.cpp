#include "numerics/cycle_count.hpp"

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
    const Sequence sample = sampler.draw(seed, purpose, static_cast<std::uint64_t>(i));
    ++count.samples;
    if (!sample.cycle) return;
    ++count.cycles;
    const CyclicTokens cyclic = cyclic_tokens(sample.triggers, TriggerOutputs(sample.triggers, sample.outputs));
    count.absorbed += cyclic.on[static_cast<std::size_t>(sample.example.tokens.back())] ? 1 : 0;
  });
}

}  // namespace popgrad
