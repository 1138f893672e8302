// How fast sequences of the bigram task are drawn, in million tokens a second of processor time on one thread, and what
// limits it. Built by the target bench_sampler.
//
// usage: bench_sampler [ROUNDS]; the fastest of ROUNDS rounds counts (default 9), since others may use the machine.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "numerics/sequence_source.hpp"

using namespace popgrad;

namespace {

int rounds = 9;
std::uint64_t sum = 0;  // printed, so that no draw is optimized away

template <class Work>
double millions(std::int64_t items, Work work) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return static_cast<double>(items) / best / 1e6;
}

double words() {
  constexpr int samples = 2000, words = 176;  // as many as a sequence of 256 tokens with the five frequent triggers takes
  return millions(std::int64_t{samples} * words, [] {
    for (std::uint64_t i = 0; i < samples; ++i) {
      Stream stream(1, Purpose::test, i);
      for (int n = 0; n < words; ++n) sum += stream.bits();
    }
  });
}

// Draws whose law is the last token: what no processor can overlap. And from one law: what it can.
double chain(const BigramCounts& counts, bool dependent) {
  std::vector<CountLaw> after;
  for (int z = 0; z < counts.N(); ++z) {
    const auto row = counts.bigram.begin() + static_cast<std::ptrdiff_t>(z) * counts.N();
    after.push_back(CountLaw({row, row + counts.N()}));
  }
  constexpr int draws = 400000;
  return millions(draws, [&] {
    Stream stream(1, Purpose::test, 0);
    int z = 1;
    for (int n = 0; n < draws; ++n) {
      const int k = after[static_cast<std::size_t>(z)].draw(stream);
      if (dependent) z = k;
      sum += static_cast<std::uint64_t>(k);
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) rounds = std::atoi(argv[1]);
  if (argc > 2 || rounds < 1) return 2;
  const BigramCounts& counts = default_counts();
  std::printf("philox words, in a sequence's stream        %6.1f M/s\n", words());
  std::printf("draws from one row of pi_b                  %6.1f M/s\n", chain(counts, false));
  std::printf("draws from the row of the last token        %6.1f M/s\n", chain(counts, true));
  for (const auto loss : {LossKind::head, LossKind::full})
    for (const auto triggers : {Triggers::fixed, Triggers::random})
      for (const auto outputs : {Outputs::uniform, Outputs::bigram}) {
        TrainOptions options;
        options.bigram = {256, 5, 0, triggers, outputs, false, loss};
        const SequenceSource source(options, counts);
        constexpr int samples = 2000;
        Sequence sequence;
        const double kept = millions(samples * 256, [&] {
          for (std::uint64_t i = 0; i < samples; ++i) {
            source.draw(Purpose::test, i, sequence);
            sum += sequence.example.targets.size();
          }
        });
        const double fresh = millions(samples * 256, [&] {
          for (std::uint64_t i = 0; i < samples; ++i) sum += source.draw(Purpose::test, i).example.targets.size();
        });
        std::printf("sequences, %-52s %6.1f M tokens/s; %6.1f into a new sequence each\n", options.bigram.describe().c_str(),
                    kept, fresh);
      }
  std::printf("checksum %llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
