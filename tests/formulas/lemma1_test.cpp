#include "theory/formulas/lemma1.hpp"

#include "core/rational.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("lemma 1: coefficient by hand, with the sign of the gradient") {
  // p(z) = 1/3, model 1/2, law 1/5: 1/3 * 3/10
  const Bindings at = {{"p_z", Rational(1, 3)}, {"phat_kz", Rational(1, 2)}, {"p_kz", Rational(1, 5)}};
  CHECK(lemma1_coefficient().evaluate_exact(at) == Rational(1, 10));
}

TEST_CASE("lemma 1: at W = 0 the coefficient is minus the one of the log-likelihood, one sample at a time") {
  // Joint law p(z, y) on 2 x 3; E[(phat_k - 1{y=k}) 1{z}] summed entry by entry.
  const Rational joint[2][3] = {{Rational(1, 12), Rational(2, 12), Rational(3, 12)}, {Rational(3, 12), 0, Rational(3, 12)}};
  for (const auto& row : joint)
    for (int k = 0; k < 3; ++k) {
      Rational p_z = 0, direct = 0;
      for (int y = 0; y < 3; ++y) {
        p_z += row[y];
        direct += row[y] * (Rational(1, 3) - (y == k ? 1 : 0));
      }
      const Bindings at = {{"p_z", p_z}, {"phat_kz", Rational(1, 3)}, {"p_kz", Rational(row[k] / p_z)}};
      CHECK(lemma1_coefficient().evaluate_exact(at) == direct);
    }
}
