// The joint law of a few tokens against writing every one of them out, and the covariance of readings against its
// definition.
#include "numerics/moment_law.hpp"

#include "core/errors.hpp"
#include "numerics/moment_pairs.hpp"
#include "numerics/moment_reads.hpp"
#include "numerics/moment_same_token.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// E[(1{z_a = o} - 1/N) event] over all values of q, o and three background tokens.
template <class Event>
Rational written_out(int N, Background law, int a, const Event& event) {
  Rational sum(0), weight(0);
  for (int q = 0; q < N; ++q)
    for (int o = 0; o < N; ++o)
      for (int b = 0; b < N * N * N; ++b) {
        const std::array<int, 5> token = {q, o, b % N, b / N % N, b / N / N};
        if (law == Background::avoid && (token[2] == q || token[3] == q || token[4] == q)) continue;
        const auto same = [&token](int u, int v) -> long {
          return token[static_cast<std::size_t>(u)] == token[static_cast<std::size_t>(v)] ? 1 : 0;
        };
        sum += (Rational(same(a, 1)) - Rational(1, N)) * event(same);
        weight += 1;
      }
  return sum / weight;
}

// c_ru by its definition: rows of weights, centred over positions.
Rational by_definition(Reading f, Reading x, int L, int r, int u) {
  const auto read = [](Reading reading, int t, int s) {
    return reading == Reading::token ? Rational(t == s ? 1 : 0) : s <= t ? Rational(1, t + 1) : Rational(0);
  };
  Rational product(0), left(0), right(0);
  for (int t = 0; t < L; ++t) {
    product += read(f, t, r) * read(x, t, u);
    left += read(f, t, r);
    right += read(x, t, u);
  }
  return product - left * right / L;
}

}  // namespace

TEST_CASE("the law of five tokens equals the law written out, for every token and several products of equalities") {
  for (const int N : {2, 3, 4})
    for (const Background background : {Background::any, Background::avoid}) {
      const TokenLaw law(N, background, 3);
      for (int a = 0; a < 5; ++a)
        for (int u = 0; u < 5; ++u)
          for (int v = 0; v < 5; ++v) {
            const auto event = [u, v](const auto& same) -> long {
              return same(u, 0) * same(u, v) + 2 * same(v, 3) - same(1, u);
            };
            INFO("N = " << N << " " << name(background) << " a = " << a << " u = " << u << " v = " << v);
            CHECK(law.excess(a, event) == written_out(N, background, a, event));
          }
    }
}

TEST_CASE("only the output is in excess, under both backgrounds") {
  for (const Background background : {Background::any, Background::avoid}) {
    const TokenLaw law(7, background, 1);
    const auto one = [](const auto&) { return 1L; };
    CHECK(law.excess(TokenLaw::trigger, one).is_zero());
    CHECK(law.excess(TokenLaw::background, one).is_zero());
    CHECK(law.excess(TokenLaw::output, one) == Rational(6, 7));
  }
}

TEST_CASE(
    "the covariance of two readings equals its definition, special entries averaged over tau, rows adding up to zero") {
  const ReadScale scale(9);
  for (const int L : {4, 6, 9})
    for (const Reading f : {Reading::token, Reading::prefix})
      for (const Reading x : {Reading::token, Reading::prefix}) {
        const ReadCovariance c = scale.covariance(f, x, L);
        Rational diagonal(0);
        std::array<Rational, 9> special;
        for (int tau = 0; tau <= L - 3; ++tau) {
          const std::array<int, 3> place = {tau, tau + 1, L - 1};
          for (std::size_t i = 0; i < 9; ++i) special[i] += by_definition(f, x, L, place[i / 3], place[i % 3]) / (L - 2);
        }
        for (int r = 0; r < L; ++r) {
          Rational row(0);
          for (int u = 0; u < L; ++u) row += by_definition(f, x, L, r, u);
          CHECK(row.is_zero());
          diagonal += by_definition(f, x, L, r, r);
        }
        CHECK(c.diagonal == diagonal);
        for (std::size_t i = 0; i < 9; ++i) CHECK(c.special[i] == special[i]);
      }
}

TEST_CASE("the law of a few tokens refuses one label and more tokens than it holds") {
  CHECK_THROWS_AS(TokenLaw(1, Background::any, 1), HypothesisError);
  CHECK_THROWS_AS(TokenLaw(3, Background::any, 5), HypothesisError);
  CHECK_THROWS_AS(with_trigger(TokenLaw(3, Background::any, 1)), HypothesisError);
  CHECK_THROWS_AS(with_frequency(TokenLaw(3, Background::any, 2), 6), HypothesisError);
  CHECK_THROWS_AS(same_token_sum({3, 6, Background::any, Query::last, {}}, TokenLaw(3, Background::any, 3)),
                  HypothesisError);
}
