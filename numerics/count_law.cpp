#include "numerics/count_law.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>

namespace popgrad {
namespace {

// With about 20 tokens that occur in a row of text, one bucket of 2^9 in 25 has an owner's end inside.
constexpr unsigned guide_bits = 9;
constexpr std::size_t most_tokens = 256;

std::uint64_t total_of(const std::vector<std::int64_t>& counts) {
  require(!counts.empty() && counts.size() <= most_tokens, "CountLaw", "counts", "1..256 counts",
          std::to_string(counts.size()));
  require(std::ranges::none_of(counts, [](std::int64_t n) { return n < 0; }), "CountLaw", "counts", "non-negative",
          "a negative count");
  return static_cast<std::uint64_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
}

}  // namespace

CountLaw::CountLaw(const std::vector<std::int64_t>& counts) : below_(total_of(counts)) {
  std::uint64_t sum = 0;
  for (const std::int64_t n : counts) cumulative_.push_back(sum += static_cast<std::uint64_t>(n));
  const auto width = static_cast<unsigned>(std::bit_width(sum - 1));
  shift_ = width > guide_bits ? width - guide_bits : 0;
  std::size_t k = 0;
  for (std::uint64_t bucket = 0; bucket <= (sum - 1) >> shift_; ++bucket) {
    while (cumulative_[k] <= bucket << shift_) ++k;
    guide_.push_back(static_cast<std::uint8_t>(k));
  }
}

int CountLaw::draw_without(Stream& stream, int q) const {
  // From the numbers that are left, stepping over those of q.
  const std::uint64_t x = stream.below(static_cast<std::uint64_t>(total() - count(q)));
  return owner(x < static_cast<std::uint64_t>(before(q)) ? x : x + static_cast<std::uint64_t>(count(q)));
}

void CountLaw::draw_without_replacement(Stream& stream, int K, std::vector<int>& chosen) const {
  std::array<int, most_tokens> ordered;  // the chosen ones by token
  chosen.clear();
  std::int64_t left = total();
  for (int* end = ordered.data(); static_cast<int>(chosen.size()) < K; ++end) {
    require(left > 0, "CountLaw::draw_without_replacement", "K", "at most the tokens that occur", std::to_string(K));
    auto x = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(left)));
    for (const int* q = ordered.data(); q != end; ++q)  // step over the numbers of tokens already chosen
      if (x >= before(*q)) x += count(*q);
    const int z = owner(static_cast<std::uint64_t>(x));
    left -= count(z);
    chosen.push_back(z);
    int* place = std::upper_bound(ordered.data(), end, z);
    std::copy_backward(place, end, end + 1);
    *place = z;
  }
}

}  // namespace popgrad
