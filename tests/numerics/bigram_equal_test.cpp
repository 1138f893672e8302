#include "core/errors.hpp"
#include "core/uniform_below.hpp"
#include "numerics/sequence_source.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/bigram_oracle.hpp"
#include "tests/numerics/bigram_support.hpp"

using namespace popgrad;

namespace {

std::string difference(const Sequence& a, const Sequence& b) {
  if (a.triggers != b.triggers) return "triggers";
  if (a.outputs != b.outputs) return "outputs";
  if (a.example.tokens != b.example.tokens) return "tokens";
  if (!same_targets(a.example.targets, b.example.targets)) return "targets";
  if (!same_targets(a.heads, b.heads)) return "heads";
  return a.cycle == b.cycle ? "" : "cycle";
}

// Every option, over `samples` samples a combination, into one sequence that is used again and again.
std::string first_difference(const BigramCounts& counts, const std::vector<int>& lengths, const std::vector<int>& Ks,
                             int samples) {
  Sequence used;
  for (const int T : lengths)
    for (const int K : Ks)
      for (const auto triggers : {Triggers::fixed, Triggers::random})
        for (const auto outputs : {Outputs::uniform, Outputs::bigram})
          for (const bool distinct : {false, true})
            for (const auto loss : {LossKind::head, LossKind::full})
              for (const int offset : {0, 1}) {
                BigramTask task = full_loss_task(T, K, triggers, outputs, distinct, offset);
                task.loss = loss;
                try {
                  task.validate(counts);
                } catch (const InputError&) {
                  continue;  // an offset of random triggers, K + offset > N, a trigger that only itself follows
                }
                const BigramSampler sampler(counts, task);
                for (int i = 0; i < samples; ++i) {
                  const auto seed = static_cast<std::uint64_t>(i % 3), index = static_cast<std::uint64_t>(i) << (i % 5 * 12);
                  const Purpose purpose = i % 2 == 0 ? Purpose::bigram_task : Purpose::evaluation;
                  sampler.draw(seed, purpose, index, used);
                  const std::string what = difference(used, oracle::draw_bigram(counts, task, seed, purpose, index));
                  if (!what.empty()) return what + " of sample " + std::to_string(i) + ", " + task.describe();
                }
              }
  return "";
}

}  // namespace

TEST_CASE("the sampler draws what the plain rules draw: Tiny Shakespeare, every option") {
  CHECK(first_difference(default_counts(), {2, 65}, {1, 5, 64}, 30) == "");
}

TEST_CASE("the sampler draws what the plain rules draw: small corpora, no successor, tokens that never occur") {
  CHECK(first_difference(count_bigrams("FILE", "abacabad", "text"), {2, 40}, {1, 2, 4}, 40) == "");
  CHECK(first_difference(count_bigrams("FILE", "ab", "text"), {30}, {1, 2}, 40) == "");
  BigramCounts gaps = count_bigrams("FILE", "aaaabbbcdaabdc", "text");
  gaps.unigram[1] = 0;
  CHECK(first_difference(gaps, {40}, {1, 2, 3}, 40) == "");
}

TEST_CASE("the sampler draws what the plain rules draw: counts far beyond the guide's buckets, and rejected words") {
  // A total just above 2^62 rejects every fourth word and more; tokens of count 1 share a bucket with large ones.
  BigramCounts counts = count_bigrams("FILE", "abcdabcd", "text");
  const std::int64_t large = std::int64_t{1} << 60;
  counts.unigram = {large, 1, 1, large};
  counts.bigram = {1, large, 1, large, 1, 1, 1, large, 0, 0, large, 1, large + 5, large, large, large + 9};
  CHECK(first_difference(counts, {80}, {1, 2}, 60) == "");
}

TEST_CASE("a law that is used up, or of the wrong shape, is refused") {
  Stream stream(1, Purpose::test, 0);
  std::vector<int> chosen;
  CHECK_THROWS_AS(CountLaw({1, 0, 2}).draw_without_replacement(stream, 3, chosen), HypothesisError);
  CHECK_THROWS_AS(CountLaw({}), HypothesisError);
  CHECK_THROWS_AS(CountLaw({0, 0}), HypothesisError);
  CHECK_THROWS_AS(CountLaw({2, -1}), HypothesisError);
  CHECK_THROWS_AS(CountLaw(std::vector<std::int64_t>(257, 1)), HypothesisError);
}

TEST_CASE("the remainder without a division is the remainder, at the ends of every cycle too") {
  Stream stream(5, Purpose::test, 0);
  std::vector<std::uint64_t> divisors = {1, 2, 3, 7, 65, 256, 169892, 1115393, std::uint64_t{3} << 62, ~std::uint64_t{0}};
  for (int i = 0; i < 200; ++i) divisors.push_back((stream.bits() >> (i % 64)) | 1);
  std::int64_t wrong = 0, draws = 0;
  for (const std::uint64_t n : divisors) {
    const UniformBelow below(n);
    std::vector<std::uint64_t> values = {0, 1, n - 1, n, n + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 1};
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t multiple = stream.bits() / n * n;
      values.insert(values.end(), {multiple, multiple - 1, multiple + 1, stream.bits()});
    }
    for (const std::uint64_t x : values) wrong += below.remainder(x) != x % n;
    Stream one(6, Purpose::test, n), two(6, Purpose::test, n);
    for (int i = 0; i < 20; ++i) draws += below(one) == two.below(n) && one.bits() == two.bits();
  }
  CHECK(wrong == 0);
  CHECK(draws == 20 * static_cast<std::int64_t>(divisors.size()));
  CHECK_THROWS_AS(UniformBelow(0), HypothesisError);
}

TEST_CASE("a source of either task draws the same into a used sequence as into a new one, and tells triggers and outputs") {
  for (const auto task : {TaskKind::bigram, TaskKind::minimal}) {
    TrainOptions options;
    options.task = task;
    const SequenceSource source(options, default_counts());
    Sequence used;
    for (std::uint64_t i = 0; i < 20; ++i) {
      source.draw(Purpose::evaluation, i, used);
      CHECK(difference(used, source.draw(Purpose::evaluation, i)) == "");
      REQUIRE(used.outputs.size() == used.triggers.size());
      for (const Target& head : used.heads) {
        const auto q =
            std::ranges::find(used.triggers, used.example.tokens.at(at_index(head.position))) - used.triggers.begin();
        REQUIRE(q < static_cast<std::ptrdiff_t>(used.triggers.size()));
        CHECK(head.token == used.outputs[static_cast<std::size_t>(q)]);
      }
    }
  }
}
