// Counter-based random numbers: any sample of any stream can be drawn alone, in any order, on any thread.
#pragma once
#include <array>
#include <cstdint>

namespace popgrad {

// What a stream is for. Two purposes never share a draw, whatever the seed. Values are part of the results: never renumber.
enum class Purpose : std::uint64_t {
  minimal_task = 1,
  bigram_task = 2,
  embeddings = 3,
  initialization = 4,
  finite_law = 5,
  direction = 6,
  batch_of_law = 7,
  evaluation = 8,
  reference_gradient = 9,
  stage_gradient = 10,
  test = 1000,
};

// Philox4x64-10 (Random123) with key (seed, purpose) and counter (block, sample, substream, 0).
class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t sample, std::uint64_t substream = 0);

  std::uint64_t bits() {                   // the next 64 random bits
    if (next_ == end_) refill();
    return words_[next_++];
  }
  double uniform();                        // [0, 1), multiples of 2^-53
  std::uint64_t below(std::uint64_t n);    // unbiased on {0..n-1}; throws HypothesisError if n = 0
  double normal();                         // N(0, 1), Box-Muller, both values used

 private:
  void refill();

  // Blocks do not depend on each other: the processor overlaps those that are asked for at once. A stream from which little is drawn
  // pays for little: one block, then two, then four at a time.
  static constexpr unsigned most_blocks = 4;
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4 * most_blocks> words_;  // filled up to end_
  unsigned next_ = 0, end_ = 0, blocks_ = 1;
  bool has_spare_ = false;
  double spare_ = 0;
};

}  // namespace popgrad
