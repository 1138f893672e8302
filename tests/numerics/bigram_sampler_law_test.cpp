#include "numerics/bigram_task.hpp"
#include "tests/catch.hpp"
#include "tests/chi_square.hpp"
#include "tests/numerics/bigram_support.hpp"

using namespace popgrad;

namespace {

std::vector<double> bigram_row(const BigramCounts& counts, int z) {
  std::vector<double> row;
  for (int k = 0; k < counts.N(); ++k) row.push_back(counts.bigram_probability(z, k));
  return row;
}

}  // namespace

TEST_CASE("the first token follows pi_u, and transitions from non-triggers follow pi_b, not its transpose") {
  const BigramCounts& counts = default_counts();
  const int N = counts.N();
  const BigramSampler sampler(counts, full_loss_task(64, 1, Triggers::fixed, Outputs::uniform, false, 50));
  std::vector<std::int64_t> first(at_index(N), 0);
  std::vector<std::vector<std::int64_t>> transitions(at_index(N), first);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Sequence sample = sampler.draw(5, Purpose::bigram_task, i);
    const std::vector<int> z = drawn(sample);
    ++first[at_index(z[0])];
    for (std::size_t t = 0; t + 1 < z.size(); ++t)
      if (z[t] != sample.triggers[0]) ++transitions[at_index(z[t])][at_index(z[t + 1])];
  }
  std::vector<double> unigram;
  for (int z = 0; z < N; ++z) unigram.push_back(counts.unigram_probability(z));
  ChiSquare initial;
  initial.add(first, unigram);
  INFO("first token: " << initial.statistic << " against " << initial.critical(1e-6));
  CHECK(initial.accepts());

  // Given the number of visits to z, its transitions are asymptotically multinomial, independent between rows.
  ChiSquare law, transposed;
  for (int z = 0; z < N; ++z) {
    law.add(transitions[at_index(z)], bigram_row(counts, z));
    std::vector<double> column;
    for (int k = 0; k < N; ++k)
      column.push_back(static_cast<double>(counts.bigram[at_index(k * N + z)]) /
                       static_cast<double>(counts.unigram[at_index(z)]));
    transposed.add(transitions[at_index(z)], column);
  }
  INFO("transitions: " << law.statistic << " on " << law.degrees << " degrees, critical " << law.critical(1e-6));
  CHECK(law.degrees > 500);
  CHECK(law.accepts());
  CHECK_FALSE(transposed.accepts());
  CHECK(transposed.statistic > 100 * transposed.critical(1e-6));
}

TEST_CASE("a token without a successor is followed by pi_u") {
  const BigramCounts counts = count_bigrams("FILE", "abacabad", "text");  // a 4, b 2, c 1, d 1; d ends the text
  const BigramSampler sampler(counts, full_loss_task(400, 1, Triggers::fixed, Outputs::bigram, true, 2));  // trigger c
  std::vector<std::int64_t> after(4, 0);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const std::vector<int> z = drawn(sampler.draw(2, Purpose::bigram_task, i));
    for (std::size_t t = 0; t + 1 < z.size(); ++t)
      if (z[t] == 3) ++after[at_index(z[t + 1])];
  }
  ChiSquare test;
  test.add(after, {4 / 8.0, 2 / 8.0, 1 / 8.0, 1 / 8.0});
  CHECK(test.accepts());
  CHECK(test.degrees == 3);
}

TEST_CASE("outputs follow their law, uniform or pi_b of the trigger, with and without o = q") {
  const BigramCounts counts = count_bigrams("FILE", "aaabacaadbacbaaacd", "text");
  const int N = counts.N(), q = 0;
  REQUIRE(counts.bigram_probability(q, q) > 0.2);
  for (const auto outputs : {Outputs::uniform, Outputs::bigram})
    for (const bool distinct : {false, true}) {
      const BigramSampler sampler(counts, full_loss_task(2, 1, Triggers::fixed, outputs, distinct));
      std::vector<std::int64_t> observed(at_index(N), 0);
      for (std::uint64_t i = 0; i < 20000; ++i) ++observed[at_index(sampler.draw(3, Purpose::bigram_task, i).outputs.at(0))];
      std::vector<double> law =
          outputs == Outputs::uniform ? std::vector<double>(at_index(N), 1.0 / N) : bigram_row(counts, q);
      if (distinct) {
        const double left = 1 - law[0];
        law[0] = 0;
        for (double& p : law) p /= left;
      }
      ChiSquare test;
      test.add(observed, law);
      INFO(name(outputs) << (distinct ? " distinct " : " ") << test.statistic);
      CHECK(test.accepts());
    }
}

TEST_CASE("random triggers are drawn without replacement in proportion to pi_u") {
  BigramCounts counts = count_bigrams("FILE", "aaaabbbcd", "text");
  counts.unigram = {4, 3, 2, 0};  // d never
  const BigramSampler sampler(counts, full_loss_task(2, 2, Triggers::random, Outputs::uniform));
  std::vector<std::int64_t> observed(16, 0);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto triggers = sampler.draw(4, Purpose::bigram_task, i).triggers;
    ++observed[at_index(4 * triggers.at(0) + triggers.at(1))];
  }
  std::vector<double> law(16, 0);
  const double n[] = {4, 3, 2, 0};
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      if (a != b) law[at_index(4 * a + b)] = n[a] / 9 * n[b] / (9 - n[a]);
  ChiSquare test;
  test.add(observed, law);
  CHECK(test.accepts());
  CHECK(test.degrees == 5);
}
