#include <algorithm>
#include <set>

#include "numerics/bigram_rules.hpp"
#include "numerics/bigram_task.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/bigram_support.hpp"

using namespace popgrad;

// Golden draws: computed in Python integers from the counts of the text, the definition of philox and the rules of
// docs/theory.md.
TEST_CASE("golden draws on Tiny Shakespeare: fixed, random without o = q, and offset triggers") {
  struct Golden {
    BigramTask task;
    std::uint64_t seed, index;
    std::vector<int> triggers, outputs, tokens;
  };
  const std::vector<Golden> all = {
      {full_loss_task(24, 5, Triggers::fixed, Outputs::uniform),
       7,
       3,
       {1, 43, 58, 53, 39},
       {21, 33, 25, 34, 57},
       {58, 25, 39, 57, 47, 64, 43, 33, 18, 53, 34, 27, 10, 0, 14, 30, 10, 1, 21, 6, 0, 34, 43, 33, 25}},
      {full_loss_task(24, 3, Triggers::random, Outputs::bigram, true),
       7,
       3,
       {39, 51, 44},
       {50, 1, 1},
       {56, 43, 52, 41, 39, 50, 39, 50, 47, 54, 1, 39, 50, 63, 1, 57, 58, 46, 53, 63, 1, 58, 43, 52, 63}},
      {full_loss_task(16, 2, Triggers::fixed, Outputs::bigram, false, 1),
       1,
       17,
       {43, 58},
       {42, 46},
       {1, 58, 46, 56, 53, 61, 6, 0, 26, 17, 42, 53, 44, 1, 43, 42, 1}}};
  for (const Golden& golden : all) {
    const Sequence sample =
        BigramSampler(default_counts(), golden.task).draw(golden.seed, Purpose::bigram_task, golden.index);
    CHECK(sample.triggers == golden.triggers);
    CHECK(sample.outputs == golden.outputs);
    CHECK(drawn(sample) == golden.tokens);
  }
}

TEST_CASE("a sample has T tokens, a trigger is always followed by its output, and targets are the next tokens") {
  for (const auto triggers : {Triggers::fixed, Triggers::random})
    for (const auto outputs : {Outputs::uniform, Outputs::bigram}) {
      const BigramSampler sampler(default_counts(), full_loss_task(64, 5, triggers, outputs));
      std::int64_t followed = 0, wrong = 0, bad_targets = 0;
      for (std::uint64_t i = 0; i < 200; ++i) {
        const Sequence sample = sampler.draw(1, Purpose::bigram_task, i);
        REQUIRE(sample.example.tokens.size() == 64);
        REQUIRE(sample.triggers.size() == 5);
        REQUIRE(std::set<int>(sample.triggers.begin(), sample.triggers.end()).size() == 5);
        REQUIRE(sample.outputs.size() == 5);
        const std::vector<int> z = drawn(sample);
        for (std::size_t t = 0; t < 64; ++t) {
          const Target& target = sample.example.targets.at(t);
          bad_targets += target.position != static_cast<int>(t) || target.token != z[t + 1];
          const auto q = std::ranges::find(sample.triggers, z[t]) - sample.triggers.begin();
          if (q == 5) continue;
          ++followed;
          wrong += z[t + 1] != sample.outputs[static_cast<std::size_t>(q)];
        }
      }
      CHECK(bad_targets == 0);
      CHECK(wrong == 0);
      CHECK(followed > 500);
    }
}

TEST_CASE("the head loss sits at repeated triggers and its target is their output") {
  BigramTask head = full_loss_task(64, 5, Triggers::fixed, Outputs::uniform);
  head.loss = LossKind::head;
  const BigramSampler sampler(default_counts(), head);
  const BigramSampler full(default_counts(), full_loss_task(64, 5, Triggers::fixed, Outputs::uniform));
  std::int64_t positions = 0, wrong = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Sequence sample = sampler.draw(1, Purpose::bigram_task, i);
    const Sequence same = full.draw(1, Purpose::bigram_task, i);
    CHECK(sample.example.tokens == same.example.tokens);  // the loss does not change the data
    CHECK(same_targets(sample.heads, sample.example.targets));
    CHECK(same_targets(sample.heads, same.heads));
    std::size_t expected = 0;
    std::set<int> seen;
    for (const int z : sample.example.tokens)
      if (std::ranges::find(sample.triggers, z) != sample.triggers.end() && !seen.insert(z).second) ++expected;
    CHECK(sample.example.targets.size() == expected);
    for (const Target& target : sample.example.targets) {
      ++positions;
      const int q = sample.example.tokens.at(at_index(target.position));
      const auto k = std::ranges::find(sample.triggers, q) - sample.triggers.begin();
      REQUIRE(k < 5);
      wrong += target.token != sample.outputs[static_cast<std::size_t>(k)];
    }
  }
  CHECK(wrong == 0);
  CHECK(positions > 1000);
}

TEST_CASE("short sequences without a repeated trigger have no loss position and say so") {
  BigramTask head =
      full_loss_task(2, 1, Triggers::fixed, Outputs::uniform, true, 40);  // a rare trigger, o != q: no repetition in T = 2
  head.loss = LossKind::head;
  const BigramSampler sampler(default_counts(), head);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Sequence sample = sampler.draw(1, Purpose::bigram_task, i);
    CHECK(sample.example.targets.empty());
    CHECK(sample.heads.empty());
    CHECK(sample.example.tokens.size() == 2);
  }
}

TEST_CASE("K = N random triggers are a permutation, and every token is forced from then on") {
  const BigramCounts counts = count_bigrams("FILE", "abacabad", "text");
  const BigramSampler sampler(counts, full_loss_task(8, 4, Triggers::random, Outputs::uniform));
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Sequence sample = sampler.draw(1, Purpose::bigram_task, i);
    CHECK(std::set<int>(sample.triggers.begin(), sample.triggers.end()) == std::set<int>{0, 1, 2, 3});
    CHECK(sample.cycle);  // a map of a finite set into itself always has one
  }
}

TEST_CASE("sample 17 drawn alone is sample 17 drawn in sequence") {
  const BigramSampler sampler(default_counts(), full_loss_task(32, 5, Triggers::random, Outputs::bigram));
  const Sequence alone = sampler.draw(11, Purpose::bigram_task, 17);
  Sequence in_sequence;
  for (std::uint64_t i = 0; i <= 17; ++i) in_sequence = sampler.draw(11, Purpose::bigram_task, i);
  CHECK(drawn(alone) == drawn(in_sequence));
  CHECK(alone.triggers == in_sequence.triggers);
  CHECK(alone.outputs == in_sequence.outputs);
}

TEST_CASE("eight samples of four workers and two batches, and other seeds and purposes, are different sequences") {
  const BigramSampler sampler(default_counts(), full_loss_task(32, 5, Triggers::fixed, Outputs::uniform));
  std::set<std::vector<int>> sequences;
  for (std::uint64_t i = 0; i < 8; ++i) sequences.insert(drawn(sampler.draw(1, Purpose::bigram_task, i)));
  sequences.insert(drawn(sampler.draw(2, Purpose::bigram_task, 0)));
  sequences.insert(drawn(sampler.draw(1, Purpose::evaluation, 0)));
  CHECK(sequences.size() == 10);
}

TEST_CASE("the cycle flag agrees with the sequence: one that reaches its cycle never leaves it") {
  const BigramSampler sampler(default_counts(), full_loss_task(256, 5, Triggers::fixed, Outputs::bigram));
  int with = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Sequence sample = sampler.draw(1, Purpose::bigram_task, i);
    const CyclicTokens cyclic = cyclic_tokens(sample.triggers, TriggerOutputs(sample.triggers, sample.outputs));
    CHECK(sample.cycle == cyclic.any);
    bool inside = false;
    for (const int z : sample.example.tokens) {
      const bool on_cycle = cyclic.on[at_index(z)];
      REQUIRE((!inside || on_cycle));
      inside = on_cycle;
    }
    with += inside;
  }
  CHECK(with > 10);
}
