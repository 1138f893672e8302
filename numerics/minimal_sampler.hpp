// Samples of the minimal task, each drawn alone from (seed, purpose, index).
#pragma once
#include <cstdint>

#include "core/example.hpp"
#include "core/minimal_task.hpp"
#include "core/philox.hpp"

namespace popgrad {

struct MinimalSample {
  Example example;  // T' tokens, one target (T'-1, o)
  int trigger = 0, output = 0, tau = 0;  // tau 0-based
};

// Throws InputError through task.validate(); cost O(T).
MinimalSample draw_minimal(const MinimalTask& task, std::uint64_t seed, Purpose purpose, std::uint64_t index);

}  // namespace popgrad
