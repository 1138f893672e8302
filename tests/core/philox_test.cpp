#include "core/philox.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/chi_square.hpp"

using namespace popgrad;

namespace {

using Words4 = std::array<std::uint64_t, 4>;
using Words2 = std::array<std::uint64_t, 2>;

Words4 library_philox(const Words4& counter, const Words2& key) {
  const auto out = r123::Philox4x64()({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

// The ten rounds as the paper of Salmon, Moraes, Dror and Shaw (SC 2011) defines them: multipliers, swap, Weyl key schedule.
Words4 philox_by_definition(Words4 c, Words2 k) {
  for (int round = 0; round < 10; ++round) {
    __extension__ using Wide = unsigned __int128;
    const Wide a = static_cast<Wide>(0xD2E7470EE14C6C93U) * c[0];
    const Wide b = static_cast<Wide>(0xCA5A826395121157U) * c[2];
    c = {static_cast<std::uint64_t>(b >> 64) ^ c[1] ^ k[0], static_cast<std::uint64_t>(b),
         static_cast<std::uint64_t>(a >> 64) ^ c[3] ^ k[1], static_cast<std::uint64_t>(a)};
    k = {k[0] + 0x9E3779B97F4A7C15U, k[1] + 0xBB67AE8584CAA73BU};
  }
  return c;
}

}  // namespace

// Origin of the vectors: the lines "philox4x64 10" of tests/kat_vectors in the Random123 distribution.
TEST_CASE("philox4x64-10: the known-answer vectors of Random123") {
  const std::uint64_t ones = 0xffffffffffffffff;
  CHECK(library_philox({0, 0, 0, 0}, {0, 0}) ==
        Words4{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  CHECK(library_philox({ones, ones, ones, ones}, {ones, ones}) ==
        Words4{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
  CHECK(library_philox({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                       {0x452821e638d01377, 0xbe5466cf34e90c6c}) ==
        Words4{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6});
}

TEST_CASE("a stream is philox with key (seed, purpose) and counter (block, sample, substream, 0)") {
  const std::uint64_t seed = 0x0123456789abcdef, sample = 0xfedcba9876543210, substream = 0x1111222233334444;
  Stream stream(seed, Purpose::bigram_task, sample, substream);
  for (std::uint64_t block = 0; block < 3; ++block)
    for (const std::uint64_t word : philox_by_definition({block, sample, substream, 0}, {seed, 2}))
      CHECK(stream.bits() == word);
}

// Golden draws: computed in Python integers from the definition of philox and of each kind of draw.
TEST_CASE("golden draws of Stream(42, test, 17, 3): bits, below, uniform, normal") {
  const auto fresh = [] { return Stream(42, Purpose::test, 17, 3); };
  Stream bits = fresh();
  CHECK(bits.bits() == 0xc3fe7eb4337b8942);
  CHECK(bits.bits() == 0x51e9b8c968f88b97);
  CHECK(bits.bits() == 0x0813d6c47c1ec06a);

  Stream below = fresh();
  for (const unsigned expected : {2U, 1U, 4U, 7U, 0U, 4U, 7U, 9U, 0U, 6U, 4U, 2U}) CHECK(below.below(10) == expected);
  for (const unsigned expected : {22U, 48U, 51U, 31U, 9U, 32U}) CHECK(below.below(65) == expected);

  Stream uniform = fresh();
  for (const double expected : {0x1.87fcfd6866f71p-1, 0x1.47a6e325a3e22p-2, 0x1.027ad88f83d80p-5, 0x1.ab31eb4739993p-1})
    CHECK(uniform.uniform() == expected);

  // A few units in the last place: log, sin and cos differ between mathematical libraries.
  Stream normal = fresh();
  CHECK(std::abs(normal.normal() - -0.7249940073775389) < 1e-14);
  CHECK(std::abs(normal.normal() - 1.5413803851278904) < 1e-14);
}

TEST_CASE("uniform stays at or above 0 and below 1 and has mean 1/2 and variance 1/12") {
  Stream stream(1, Purpose::test, 0);
  const int n = 200000;
  double sum = 0, squares = 0, least = 1, most = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform();
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
    least = std::min(least, u);
    most = std::max(most, u);
  }
  CHECK(least >= 0);
  CHECK(most < 1);
  // 5 standard errors: sd of u is 1/sqrt(12), sd of (u - 1/2)^2 is 1/sqrt(180).
  CHECK(std::abs(sum / n - 0.5) < 5 / std::sqrt(12.0 * n));
  CHECK(std::abs(squares / n - 1.0 / 12) < 5 / std::sqrt(180.0 * n));
}

TEST_CASE("normal has mean 0, variance 1 and fourth moment 3") {
  Stream stream(2, Purpose::test, 0);
  const int n = 200000;
  double first = 0, second = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double x = stream.normal();
    first += x;
    second += x * x;
    fourth += x * x * x * x;
  }
  // 5 standard errors from the moments 1, 3 - 1 and 105 - 9.
  CHECK(std::abs(first / n) < 5 / std::sqrt(1.0 * n));
  CHECK(std::abs(second / n - 1) < 5 * std::sqrt(2.0 / n));
  CHECK(std::abs(fourth / n - 3) < 5 * std::sqrt(96.0 / n));
}

TEST_CASE("below is uniform on {0..n-1}: chi-square for small n, and no bias where 2^64 mod n is large") {
  for (const int n : {2, 3, 7, 65}) {
    Stream stream(3, Purpose::test, static_cast<std::uint64_t>(n));
    std::vector<std::int64_t> observed(static_cast<std::size_t>(n), 0);
    for (int i = 0; i < 20000; ++i) ++observed.at(stream.below(static_cast<std::uint64_t>(n)));
    ChiSquare test;
    test.add(observed, std::vector<double>(observed.size(), 1.0 / n));
    INFO("n = " << n << ", statistic " << test.statistic << ", critical " << test.critical(1e-6));
    CHECK(test.accepts());
  }
  // n = 3 * 2^62: a plain remainder of 64 bits would put 1/2 of the draws, not 1/3, below 2^62.
  Stream stream(3, Purpose::test, 0);
  std::vector<std::int64_t> thirds(3, 0);
  for (int i = 0; i < 20000; ++i) ++thirds.at(stream.below(std::uint64_t{3} << 62) >> 62);
  ChiSquare test;
  test.add(thirds, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  CHECK(test.accepts());
  ChiSquare biased;
  biased.add({10000, 5000, 5000}, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  CHECK_FALSE(biased.accepts());
}

TEST_CASE("below(1) is 0 and below(0) is refused") {
  Stream stream(4, Purpose::test, 0);
  CHECK(stream.below(1) == 0);
  CHECK_THROWS_AS(stream.below(0), HypothesisError);
}

TEST_CASE("streams that differ in seed, purpose, sample or substream share no draw") {
  const std::vector<Stream> streams = {
      Stream(1, Purpose::minimal_task, 1), Stream(2, Purpose::minimal_task, 1), Stream(1, Purpose::bigram_task, 1),
      Stream(1, Purpose::minimal_task, 2), Stream(1, Purpose::minimal_task, 1, 1),
      // Swapped arguments must not meet: seed 2, purpose 1 against seed 1, purpose 2, and sample against substream.
      Stream(2, Purpose::minimal_task, 1), Stream(1, Purpose::minimal_task, 0, 1)};
  std::multiset<std::uint64_t> draws;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (i == 5) continue;  // the same stream as number 1
    Stream stream = streams[i];
    for (int n = 0; n < 64; ++n) draws.insert(stream.bits());
  }
  std::set<std::uint64_t> different(draws.begin(), draws.end());
  CHECK(different.size() == draws.size());
  Stream again = streams[5], first = streams[1];
  CHECK(again.bits() == first.bits());
}

TEST_CASE("four workers with two batches each start with eight different draws") {
  std::set<std::uint64_t> first;
  for (std::uint64_t worker = 0; worker < 4; ++worker)
    for (std::uint64_t batch = 0; batch < 2; ++batch) first.insert(Stream(9, Purpose::test, batch * 4 + worker).bits());
  CHECK(first.size() == 8);
}
