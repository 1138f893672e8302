// Parallel sums whose bits do not depend on the number of threads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <vector>

namespace popgrad {

// Splits {0..n-1} into blocks of `block` consecutive indices, runs body(index, accumulator) in order inside each block on
// a copy of `zero`, and adds the block results to the total in block order. OpenMP reduction(+) would add them in the
// order in which threads finish. Blocks run in waves of fixed size, so memory stays bounded and the order stays fixed.
// Accumulator: copyable, with operator+=. An exception in body is rethrown (the first in block order of its wave).
template <class Accumulator, class Body>
Accumulator ordered_sum(std::int64_t n, std::int64_t block, const Accumulator& zero, Body body, std::int64_t wave = 32) {
  Accumulator total = zero;
  const std::int64_t blocks = (n + block - 1) / block;
  for (std::int64_t first = 0; first < blocks; first += wave) {
    const std::int64_t count = std::min(wave, blocks - first);
    std::vector<Accumulator> partial(static_cast<std::size_t>(count), zero);
    std::vector<std::exception_ptr> failed(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t b = 0; b < count; ++b) {
      try {
        const std::int64_t begin = (first + b) * block;
        const std::int64_t end = std::min(n, begin + block);
        for (std::int64_t i = begin; i < end; ++i) body(i, partial[static_cast<std::size_t>(b)]);
      } catch (...) {
        failed[static_cast<std::size_t>(b)] = std::current_exception();
      }
    }
    for (std::int64_t b = 0; b < count; ++b) {
      if (failed[static_cast<std::size_t>(b)]) std::rethrow_exception(failed[static_cast<std::size_t>(b)]);
      total += partial[static_cast<std::size_t>(b)];
    }
  }
  return total;
}

}  // namespace popgrad
