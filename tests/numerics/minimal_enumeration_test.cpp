#include "numerics/minimal_enumeration.hpp"

#include <map>

#include "core/errors.hpp"
#include "core/rational.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

MinimalTask task(int N, int T, Background background, Query query, std::vector<int> weights = {}) {
  MinimalTask t;
  t.N = N;
  t.T = T;
  t.background = background;
  t.query = query;
  t.output_weights = std::move(weights);
  return t;
}

using Law = std::map<std::vector<int>, Rational>;  // tokens and label -> probability

Law enumerated(const MinimalTask& t) {
  const MinimalEnumeration all(t);
  Law law;
  Example example;
  for (std::int64_t i = 0; i < all.size(); ++i) {
    std::int64_t numerator = -1;
    all.build(i, example, numerator);
    REQUIRE(example.targets.size() == 1);
    REQUIRE(example.targets[0].position == static_cast<int>(example.tokens.size()) - 1);
    Rational p = numerator;
    for (const std::int64_t factor : all.denominator_factors(static_cast<int>(example.tokens.size()))) p /= factor;
    std::vector<int> cell = example.tokens;
    cell.push_back(example.targets[0].token);
    law[cell] += p;
  }
  return law;
}

// P(tokens, label o) from the definition alone: over all words of N letters, average over lengths and tau of
// 1{z_tau = q, z_{tau+1} = o, z_last = q} P(q) P(o) prod_{background} P(z).
Law by_definition(const MinimalTask& t) {
  Law law;
  const int lengths = t.T - t.shortest() + 1;
  int weights = 0;
  for (const int w : t.output_weights) weights += w;
  for (int length = t.shortest(); length <= t.T; ++length) {
    std::vector<int> word(static_cast<std::size_t>(length), 0);
    for (;;) {
      const int q = word.back();
      for (int tau = 0; tau < length - 2; ++tau) {
        const auto at = static_cast<std::size_t>(tau);
        if (word[at] != q) continue;
        const int o = word[at + 1];
        Rational p = Rational(1) / lengths / (length - 2) / t.N;
        p *= weights == 0 ? Rational(1, t.N) : Rational(t.output_weights[static_cast<std::size_t>(o)], weights);
        for (std::size_t s = 0; s + 1 < word.size(); ++s) {
          if (s == at || s == at + 1) continue;
          if (t.background == Background::any)
            p /= t.N;
          else
            p = word[s] == q ? Rational(0) : Rational(p / (t.N - 1));
        }
        std::vector<int> cell = word;
        cell.push_back(o);
        law[cell] += p;
      }
      std::size_t digit = 0;
      while (digit < word.size() && ++word[digit] == t.N) word[digit++] = 0;
      if (digit == word.size()) break;
    }
  }
  return law;
}

Law without_zeros(Law law) {
  std::erase_if(law, [](const auto& entry) { return is_zero(entry.second); });
  return law;
}

const std::vector<MinimalTask>& small_tasks() {
  static const std::vector<MinimalTask> all = {task(3, 4, Background::avoid, Query::last),
                                               task(3, 4, Background::any, Query::last),
                                               task(3, 5, Background::avoid, Query::any),
                                               task(3, 5, Background::any, Query::any),
                                               task(2, 6, Background::avoid, Query::last),
                                               task(2, 4, Background::avoid, Query::any),
                                               task(4, 4, Background::any, Query::last, {1, 0, 2, 5}),
                                               task(3, 5, Background::avoid, Query::any, {3, 1, 1})};
  return all;
}

}  // namespace

TEST_CASE("the number of sequences is N^2 (T-2) b^(T-3), summed over lengths with query = any") {
  CHECK(MinimalEnumeration(task(3, 4, Background::avoid, Query::last)).size() == 9 * 2 * 2);
  CHECK(MinimalEnumeration(task(3, 4, Background::any, Query::last)).size() == 9 * 2 * 3);
  CHECK(MinimalEnumeration(task(4, 6, Background::avoid, Query::last)).size() == 16 * 4 * 27);
  CHECK(MinimalEnumeration(task(4, 6, Background::any, Query::any)).size() == 16 * (2 * 4 + 3 * 16 + 4 * 64));
  CHECK(MinimalEnumeration(task(2, 30, Background::avoid, Query::last)).size() == 4 * 28);
}

TEST_CASE("the enumerated law is the law of the definition, in rationals, and sums to exactly 1") {
  for (const MinimalTask& t : small_tasks()) {
    INFO(t.describe());
    const Law law = enumerated(t);
    Rational total = 0;
    for (const auto& entry : law) total += entry.second;
    CHECK(total == 1);
    CHECK(without_zeros(law) == without_zeros(by_definition(t)));
  }
}

TEST_CASE("the sequences of one length are all different choices: each (q, o, tau, background) occurs once") {
  // A word with its label must occur once for each tau that explains it.
  for (const MinimalTask& t : {task(3, 5, Background::any, Query::last), task(3, 5, Background::avoid, Query::last)}) {
    const MinimalEnumeration all(t);
    std::map<std::vector<int>, int> occurrences;
    Example example;
    for (std::int64_t i = 0; i < all.size(); ++i) {
      std::int64_t numerator = 0;
      all.build(i, example, numerator);
      CHECK(numerator == 1);
      std::vector<int> cell = example.tokens;
      cell.push_back(example.targets[0].token);
      ++occurrences[cell];
    }
    int wrong = 0;
    for (const auto& [cell, count] : occurrences) {
      const int q = cell[4], o = cell[5];
      int explained = 0;
      for (std::size_t tau = 0; tau < 3; ++tau) {
        bool fits = cell[tau] == q && cell[tau + 1] == o;
        if (t.background == Background::avoid)
          for (std::size_t s = 0; s < 4; ++s) fits = fits && (s == tau || s == tau + 1 || cell[s] != q);
        explained += fits;
      }
      wrong += explained != count;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a sequence built alone equals the same sequence built after others, whatever the example held before") {
  const MinimalEnumeration all(task(3, 6, Background::any, Query::any));
  Example reused, fresh;
  std::int64_t a = 0, b = 0;
  for (std::int64_t i = 0; i < all.size(); ++i) all.build(i, reused, a);
  for (const std::int64_t i : {all.size() - 1, std::int64_t{0}, all.size() / 2}) {
    all.build(i, reused, a);
    fresh = Example{};
    all.build(i, fresh, b);
    CHECK(reused.tokens == fresh.tokens);
    CHECK(reused.targets.size() == 1);
    CHECK(reused.targets[0].position == fresh.targets[0].position);
  }
}

TEST_CASE("an output of weight zero is enumerated with numerator 0") {
  const MinimalEnumeration all(task(3, 4, Background::any, Query::last, {0, 1, 4}));
  CHECK(all.size() == 54);
  Example example;
  std::int64_t numerator = 0, sum = 0;
  for (std::int64_t i = 0; i < all.size(); ++i) {
    all.build(i, example, numerator);
    CHECK(numerator == std::vector<std::int64_t>{0, 1, 4}.at(static_cast<std::size_t>(example.targets[0].token)));
    sum += numerator;
  }
  CHECK(sum == 3 * 5 * 2 * 3);  // q, weights, tau, background
}

TEST_CASE("more sequences than the limit are refused, without overflow, bad tasks and indices too") {
  CHECK_NOTHROW(MinimalEnumeration(task(3, 4, Background::any, Query::last), 54));
  CHECK_THROWS_AS(MinimalEnumeration(task(3, 4, Background::any, Query::last), 53), InputError);
  CHECK_THROWS_AS(MinimalEnumeration(task(65, 256, Background::any, Query::last)), InputError);
  CHECK_THROWS_AS(MinimalEnumeration(task(65, 256, Background::any, Query::any)), InputError);
  CHECK_THROWS_AS(MinimalEnumeration(task(2000000000, 4, Background::any, Query::last)), InputError);
  CHECK_THROWS_AS(MinimalEnumeration(task(1, 4, Background::any, Query::last)), InputError);
  CHECK_THROWS_AS(MinimalEnumeration(task(4, 3, Background::any, Query::last)), InputError);
  const MinimalEnumeration all(task(3, 4, Background::any, Query::last));
  Example example;
  std::int64_t numerator = 0;
  CHECK_THROWS_AS(all.build(54, example, numerator), HypothesisError);
  CHECK_THROWS_AS(all.build(-1, example, numerator), HypothesisError);
  CHECK_THROWS_AS(all.denominator_factors(5), HypothesisError);
}
