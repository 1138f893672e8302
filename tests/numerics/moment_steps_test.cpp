// The second step of the moments at lengths that no enumeration reaches, against sums over lengths, places and positions in
// plain rationals; and the fractions that it is reduced with.
#include "core/errors.hpp"
#include "numerics/moment_fraction.hpp"
#include "numerics/moment_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

using Matrix = std::vector<std::vector<Rational>>;

struct Keys {
  Matrix position, remapped;  // keys P_s and S_s, by query
};

// Mean descent in the scores of layer 2 by length and key, for any background: o and q are independent, and a background
// token is o with probability 1/N as well, so that E f is 1 - 1/N at tau+1 and 0 elsewhere.
Keys by_length(int N, int T, int shortest, const Rational& token, const Rational& prefix) {
  const auto t = static_cast<std::size_t>(T);
  Keys keys{Matrix(t, std::vector<Rational>(t)), Matrix(t, std::vector<Rational>(t))};
  for (int L = shortest; L <= T; ++L) {
    const auto l = static_cast<std::size_t>(L);
    std::vector<Rational> score(l);
    Rational mean(0), sum(0);
    for (std::size_t s = 0; s < l; ++s) {
      const Rational f = s >= 1 && s + 1 < l ? Rational(N - 1, N * (L - 2)) : Rational(0);
      sum += f;
      score[s] = token * f + prefix * sum / static_cast<long>(s + 1);
      mean += score[s] / L;
    }
    for (std::size_t s = 0; s < l; ++s) {
      const Rational here = (score[s] - mean) / (L * (T - shortest + 1));
      keys.position[l - 1][s] = here;
      for (std::size_t r = 0; r <= s; ++r) keys.remapped[l - 1][r] += here / static_cast<long>(s + 1);
    }
  }
  return keys;
}

int differences(const InvariantMaps<Rational>& descent, Block key, const Matrix& expected) {
  const auto T = static_cast<std::size_t>(descent.T);
  int count = 0;
  for (std::size_t s = 0; s < T; ++s) {
    Rational all(0), beyond(0);
    for (std::size_t t = T; t-- > 0;) {
      all += expected[t][s];
      beyond += expected[t][s] / static_cast<long>(t + 1);
      count += descent.k2(Block::P, key).entries[t * T + s] != expected[t][s];
      count += descent.k2(Block::S, key).entries[t * T + s] != beyond;
    }
    for (const Block query : {Block::E, Block::R}) count += descent.k2(query, key).entries[s] != all / descent.N;
  }
  return count;
}

}  // namespace

TEST_CASE("the position keys of the second step at T = 40 equal sums written out in rationals, all switches") {
  int cases = 0;
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const auto& [handoff, blocks] : {std::pair{Handoff::ideal, Blocks::full}, {Handoff::actual, Blocks::isolated},
                                            {Handoff::actual, Blocks::full}}) {
        const MinimalTask task{9, 40, background, query, {}};
        INFO(task.describe() << ", " << name(handoff) << ", " << name(blocks));
        const InvariantMaps<Rational> first = moment_terms(task, handoff, blocks, 1).front().descent;
        const bool ideal = handoff == Handoff::ideal;
        const Rational token = ideal ? Rational(1) : first.u(Block::E).contrast();
        const Rational prefix = ideal || blocks == Blocks::isolated ? Rational(0) : first.u(Block::R).contrast();
        const Keys keys = by_length(9, 40, task.shortest(), token, prefix);
        const InvariantMaps<Rational> second = moment_terms(task, handoff, blocks, 2).front().descent;
        CHECK(differences(second, Block::P, keys.position) == 0);
        CHECK(differences(second, Block::S, keys.remapped) == 0);
        // A relative error of 1e-30 in what was handed on shows in all entries that are not zero.
        const Rational tiny(1, Integer("1000000000000000000000000000000"));
        const Keys moved = by_length(9, 40, task.shortest(), token + token * tiny, prefix);
        CHECK(differences(second, Block::P, moved.position) > 1000 / 40);
        ++cases;
      }
  CHECK(cases == 12);
}

TEST_CASE("fractions over a known denominator are in lowest terms, whatever they share with it") {
  const Integer unit = Integer(32 * 27 * 5 * 49) * 65537, primes = Integer(4 * 3 * 5 * 7 * 11) * 65537;
  const Fractions fractions(unit, primes);
  int reduced = 0;
  for (long n = -3000; n <= 3000; ++n) {
    // Powers of the primes of the unit, beyond what it holds, and some that it does not have.
    const Integer numerator = Integer(n) * (n % 7 == 0 ? 65537L * 64 * 81 : n % 5 == 0 ? 11L * 343 : 1L);
    const Rational found = fractions(numerator), expected(numerator, unit);
    if (found != expected || boost::multiprecision::denominator(found) != boost::multiprecision::denominator(expected))
      FAIL("numerator " << numerator.str());
    reduced += boost::multiprecision::denominator(found) != unit ? 1 : 0;
  }
  CHECK(reduced > 4000);
  CHECK_THROWS_AS(Fractions(unit, Integer(2 * 3 * 5 * 7)), HypothesisError);  // 65537 is missing
  CHECK_THROWS_AS(Fractions(Integer(0), primes), HypothesisError);
  CHECK_THROWS_AS(Fractions(Integer(-4), primes), HypothesisError);
}
