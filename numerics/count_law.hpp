// A law on {0..N-1} given by integer counts: exact inverse-CDF sampling, equal on every platform.
#pragma once
#include <cstdint>
#include <vector>

#include "core/uniform_below.hpp"

namespace popgrad {

// P(k) = counts[k] / total. Token k owns the numbers before(k) .. before(k) + count(k) - 1 of {0..total-1}; a token with
// count 0 owns none.
class CountLaw {
 public:
  // Hypotheses: 1 <= N <= 256, counts non-negative, not all zero.
  explicit CountLaw(const std::vector<std::int64_t>& counts);

  int N() const { return static_cast<int>(cumulative_.size()); }
  std::int64_t total() const { return static_cast<std::int64_t>(below_.n()); }
  std::int64_t before(int k) const {
    return k == 0 ? 0 : static_cast<std::int64_t>(cumulative_[static_cast<std::size_t>(k) - 1]);
  }
  std::int64_t count(int k) const { return static_cast<std::int64_t>(cumulative_[static_cast<std::size_t>(k)]) - before(k); }

  // The smallest k with x < before(k + 1); hypothesis: 0 <= x < total. The guide names the owner of the first number of x's
  // bucket, from which it is rarely a step to the right one.
  int owner(std::uint64_t x) const {
    std::size_t k = guide_[x >> shift_];
    while (cumulative_[k] <= x) ++k;
    return static_cast<int>(k);
  }

  int draw(Stream& stream) const { return owner(below_(stream)); }
  // The law without token q, exactly renormalized; hypothesis: q is not the only token that occurs.
  int draw_without(Stream& stream, int q) const;
  // K different tokens, one after the other in proportion to their counts, into `chosen`; hypothesis: at least K tokens
  // occur.
  void draw_without_replacement(Stream& stream, int K, std::vector<int>& chosen) const;

 private:
  UniformBelow below_;
  unsigned shift_ = 0;                     // x >> shift_ is the bucket of x, one of at most 2^guide_bits
  std::vector<std::uint64_t> cumulative_;  // N
  std::vector<std::uint8_t> guide_;        // one owner a bucket
};

}  // namespace popgrad
