// Stream::below for a number of values that is known beforehand: the same draws, without a division.
#pragma once
#include <cstdint>
#include <string>

#include "core/errors.hpp"
#include "core/philox.hpp"

namespace popgrad {

class UniformBelow {
 public:
  // Hypothesis: n >= 1.
  explicit UniformBelow(std::uint64_t n) : n_(n) {
    require(n > 0, "UniformBelow", "n", "positive", "0");
    reciprocal_ = ~std::uint64_t{0} / n;
    incomplete_ = (0 - n) % n;
  }

  std::uint64_t n() const { return n_; }

  // x mod n. With r = floor((2^64 - 1)/n) >= 2^64/n - 1, x r / 2^64 lies in (x/n - 1, x/n]: its floor is the quotient or one
  // less.
  std::uint64_t remainder(std::uint64_t x) const {
    __extension__ using Wide = unsigned __int128;
    const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(x) * reciprocal_) >> 64);
    const std::uint64_t rest = x - quotient * n_;
    return rest >= n_ ? rest - n_ : rest;
  }

  // What stream.below(n) returns, from the same bits.
  std::uint64_t operator()(Stream& stream) const {
    for (;;) {
      const std::uint64_t x = stream.bits();
      if (x >= incomplete_) [[likely]]
        return remainder(x);
    }
  }

 private:
  std::uint64_t n_, reciprocal_ = 0, incomplete_ = 0;
};

}  // namespace popgrad
