#include "core/ordered_sum.hpp"

#include <omp.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/philox.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// Terms of very different size and both signs, so that every other order of addition rounds differently.
std::vector<double> unruly_terms(int n) {
  std::vector<double> terms;
  for (int i = 0; i < n; ++i) {
    Stream stream(1, Purpose::test, static_cast<std::uint64_t>(i));
    terms.push_back((stream.uniform() - 0.5) * std::ldexp(1.0, static_cast<int>(stream.below(60))));
  }
  return terms;
}

double sum(const std::vector<double>& terms, std::int64_t block) {
  return ordered_sum(static_cast<std::int64_t>(terms.size()), block, 0.0,
                     [&](std::int64_t i, double& total) { total += terms[static_cast<std::size_t>(i)]; });
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

class WithThreads {
 public:
  explicit WithThreads(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~WithThreads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

}  // namespace

TEST_CASE("the sum has the same bits with 1, 2 and 7 threads, though its order matters") {
  const std::vector<double> terms = unruly_terms(10007);
  std::uint64_t one = 0;
  for (const int threads : {1, 2, 7}) {
    const WithThreads guard(threads);
    const std::uint64_t now = bits(sum(terms, 64));
    if (threads == 1) one = now;
    CHECK(now == one);
  }
  // Control: the same blocks added in the opposite order, as threads may finish, give other bits.
  std::vector<double> partial;
  for (std::size_t begin = 0; begin < terms.size(); begin += 64) {
    const auto first = terms.begin() + static_cast<std::ptrdiff_t>(begin);
    partial.push_back(
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(64, terms.size() - begin)), 0.0));
  }
  CHECK(bits(std::accumulate(partial.begin(), partial.end(), 0.0)) == one);
  CHECK(bits(std::accumulate(partial.rbegin(), partial.rend(), 0.0)) != one);
}

TEST_CASE("every index is visited once, in order inside its block, also when the last block is short") {
  struct Indices {
    std::vector<std::int64_t> list;
    Indices& operator+=(const Indices& other) {
      list.insert(list.end(), other.list.begin(), other.list.end());
      return *this;
    }
  };
  const WithThreads guard(7);
  for (const std::int64_t n : {0, 1, 9, 10, 11, 641}) {
    const Indices visited = ordered_sum(
        n, 10, Indices{}, [](std::int64_t i, Indices& all) { all.list.push_back(i); }, 3);
    std::vector<std::int64_t> expected(static_cast<std::size_t>(n));
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(visited.list == expected);
  }
}

TEST_CASE("the wave size bounds memory and leaves the bits alone") {
  const std::vector<double> terms = unruly_terms(2000);
  const auto with_wave = [&](std::int64_t wave) {
    return bits(ordered_sum(
        2000, 16, 0.0, [&](std::int64_t i, double& t) { t += terms[static_cast<std::size_t>(i)]; }, wave));
  };
  CHECK(with_wave(1) == with_wave(32));
  CHECK(with_wave(1000) == with_wave(32));
}

TEST_CASE("an exception in the body reaches the caller: the first in block order, and no later wave runs") {
  const WithThreads guard(7);
  std::atomic<std::int64_t> largest = 0;
  const auto body = [&](std::int64_t i, double&) {
    for (std::int64_t seen = largest; seen < i && !largest.compare_exchange_weak(seen, i);) {
    }
    if (i == 25 || i == 33) throw std::runtime_error("index " + std::to_string(i));
  };
  CHECK_THROWS_WITH(ordered_sum(1000, 10, 0.0, body, 4), "index 25");
  CHECK(largest < 40);
}
