// How often the triggers and outputs of the bigram task trap a sequence for ever.
#pragma once
#include <cstdint>

#include "numerics/bigram_task.hpp"

namespace popgrad {

struct CycleCount {
  std::int64_t samples = 0;
  std::int64_t cycles = 0;    // sequences whose map trigger -> output has a cycle among the triggers
  std::int64_t absorbed = 0;  // of those, sequences that end inside the cycle

  double fraction() const { return static_cast<double>(cycles) / static_cast<double>(samples); }
  double absorbed_fraction() const { return static_cast<double>(absorbed) / static_cast<double>(samples); }
  double standard_error() const;  // of fraction(): sqrt(p (1 - p) / samples)
  CycleCount& operator+=(const CycleCount& other);
};

// Over the samples 0..samples-1 of stream (seed, purpose); samples >= 1. Exact check for uniform outputs: the fraction's
// mean is K/N, since maps without a cycle are the forests on N vertices rooted in the N - K other tokens, (N - K) N^(K-1) of
// N^K.
CycleCount count_cycles(const BigramSampler& sampler, std::uint64_t seed, Purpose purpose, std::int64_t samples);

}  // namespace popgrad
