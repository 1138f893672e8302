#include "core/philox.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

#include "core/errors.hpp"

namespace popgrad {

Stream::Stream(std::uint64_t seed, Purpose purpose, std::uint64_t sample, std::uint64_t substream)
    : key_{seed, static_cast<std::uint64_t>(purpose)}, counter_{0, sample, substream, 0} {}

void Stream::refill() {
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  for (unsigned block = 0; block < blocks_; ++block, ++counter_[0]) {
    const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
    const auto out = r123::Philox4x64()(counter, key);
    for (unsigned i = 0; i < 4; ++i) words_[4 * block + i] = out[i];
  }
  next_ = 0;
  end_ = 4 * blocks_;
  if (blocks_ < most_blocks) blocks_ *= 2;
}

double Stream::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

std::uint64_t Stream::below(std::uint64_t n) {
  require(n > 0, "Stream::below", "n", "positive", "0");
  // Reject the incomplete last cycle of 2^64, so that every residue is equally likely.
  const std::uint64_t incomplete = (0 - n) % n;
  for (;;) {
    const std::uint64_t x = bits();
    if (x >= incomplete) return x % n;
  }
}

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace popgrad
