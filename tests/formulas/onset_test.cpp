#include "theory/formulas/onset.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/harmonic.hpp"
#include "theory/formulas/step1.hpp"

using namespace popgrad;

TEST_CASE("the laws of pairs of tokens agree with counting all sequences") {
  // 1-based tau; every free token runs over what the background allows.
  for (const auto& [N, T] : std::vector<std::pair<int, int>>{{2, 5}, {3, 5}, {3, 6}})
    for (const Background background : {Background::any, Background::avoid})
      for (int r = 1; r <= T; ++r)
        for (int s = 1; s <= T; ++s) {
          Rational equal(0), all(0);
          for (int tau = 1; tau <= T - 2; ++tau)
            for (int q = 0; q < N; ++q)
              for (int o = 0; o < N; ++o)
                for (int x = 0; x < N; ++x)
                  for (int y = 0; y < N; ++y) {
                    if (background == Background::avoid && (x == q || y == q)) continue;
                    // x and y stand at r and s wherever those are background positions.
                    const auto token = [&, T = T](int position, int free) {
                      return position == tau || position == T ? q : position == tau + 1 ? o : free;
                    };
                    all += 1;
                    if (token(r, x) == token(s, r == s ? x : y)) equal += 1;
                  }
          CHECK(equal_tokens(N, background, T, r, s) == equal / all);
        }
}

TEST_CASE("with background any the t^3 signal is (N-1) h_T^2/(3 N^4 T^4 t) mean (H(t-2) - H(j-1))") {
  for (const auto& [N, T] : std::vector<std::pair<int, int>>{{2, 5}, {4, 6}, {3, 9}, {65, 12}})
    for (int t = 4; t < T; ++t) {
      const Rational h = step1_h().evaluate_exact({{"T", T}});
      Rational mean(0);
      for (int j = 2; j <= t - 2; ++j) mean += harmonic_exact(t - 2) - harmonic_exact(j - 1);
      mean = mean / (t - 3);
      const Rational n(N), T4 = Rational(T) * T * T * T;
      CHECK(onset_signal({N, T, Background::any, Query::last, {}}, t) == (n - 1) * h * h * mean / (3 * n * n * n * n * T4 * t));
    }
}

TEST_CASE("the t^3 signal exists in rows 4..T-1 only") {
  const MinimalTask task{4, 6, Background::any, Query::last, {}};
  CHECK_THROWS_AS(onset_signal(task, 3), HypothesisError);
  CHECK_THROWS_AS(onset_signal(task, 6), HypothesisError);
  MinimalTask weighted = task;
  weighted.output_weights = {1, 2, 3, 4};
  CHECK_THROWS_AS(onset_signal(weighted, 4), HypothesisError);
}
