#include "core/series.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "core/running_error.hpp"

using namespace popgrad;

namespace {

using Cubic = PowerSeries<Rational, 3>;
using Quintic = PowerSeries<Rational, 5>;

Rational ratio(int p, int q) { return Rational(p) / Rational(q); }

Quintic polynomial(const std::vector<Rational>& coefficients) {
  Quintic x;
  for (std::size_t k = 0; k < coefficients.size(); ++k) x[static_cast<int>(k)] = coefficients[k];
  return x;
}

}  // namespace

TEST_CASE("a product of series is truncated, not wrapped", "[series]") {
  const Cubic h = Cubic::monomial(1, 1);
  CHECK(is_zero(h * h * h * h));
  CHECK(h * h * h == Cubic::monomial(1, 3));
  const Cubic square = (Cubic(2) + h * Cubic(3)) * (Cubic(5) - h);  // 10 + 13 h - 3 h^2
  CHECK(square[0] == 10);
  CHECK(square[1] == 13);
  CHECK(square[2] == -3);
  CHECK(square[3] == 0);
}

TEST_CASE("1/(1-h) is the geometric series, and a quotient times its divisor is the dividend", "[series]") {
  const Quintic geometric = Quintic(1) / (Quintic(1) - Quintic::monomial(1, 1));
  for (int k = 0; k <= 5; ++k) CHECK(geometric[k] == 1);
  const Quintic a = polynomial({2, -1, ratio(1, 3), 0, 7, ratio(-5, 2)});
  const Quintic b = polynomial({ratio(3, 2), 4, 0, -1, ratio(1, 7), 2});
  const Quintic quotient = a / b;
  CHECK(quotient * b == a);
  CHECK(quotient[0] == ratio(4, 3));
  CHECK(quotient[1] == ratio(-38, 9));  // (-1 - 4 * 4/3) / (3/2)
}

TEST_CASE("exp has coefficients 1/k!, and exp(x) exp(-x) = 1", "[series]") {
  const Quintic e = exp_at(Quintic::monomial(1, 1));
  const std::vector<int> factorial = {1, 1, 2, 6, 24, 120};
  for (int k = 0; k <= 5; ++k) CHECK(e[k] == ratio(1, factorial[static_cast<std::size_t>(k)]));
  const Quintic x = polynomial({0, 3, ratio(-2, 5), 1, ratio(7, 3), -4});
  CHECK(exp_at(x) * exp_at(-x) == Quintic(1));
}

TEST_CASE("log inverts exp and has coefficients (-1)^(k-1)/k at 1 + h", "[series]") {
  const Quintic x = polynomial({0, 3, ratio(-2, 5), 1, ratio(7, 3), -4});
  CHECK(log_at(exp_at(x)) == x);
  const Quintic l = log_at(Quintic(1) + Quintic::monomial(1, 1));
  CHECK(l[0] == 0);
  for (int k = 1; k <= 5; ++k) CHECK(l[k] == ratio(k % 2 == 1 ? 1 : -1, k));
}

TEST_CASE("rational series refuse what is irrational or singular", "[series]") {
  CHECK_THROWS_AS(exp_at(Cubic(1)), HypothesisError);
  CHECK_THROWS_AS(log_at(Cubic(2)), HypothesisError);
  CHECK_THROWS_AS(Cubic(1) / Cubic::monomial(1, 1), HypothesisError);
  CHECK_THROWS_AS(Cubic()[4], HypothesisError);
  CHECK_THROWS_AS(Cubic()[-1], HypothesisError);
}

TEST_CASE("is_zero sees a coefficient of any order", "[series]") {
  CHECK(is_zero(Cubic()));
  for (int k = 0; k <= 3; ++k) CHECK_FALSE(is_zero(Cubic::monomial(ratio(1, 1000000007), k)));
  CHECK_FALSE(Cubic::monomial(1, 3) == Cubic());
}

TEST_CASE("a series of doubles differentiates", "[series]") {
  using Dual = PowerSeries<double, 1>;
  Dual x(0.75);
  x[1] = 1;
  // d/dx of exp(x^2) / (1 + x) = exp(x^2) (2x (1 + x) - 1) / (1 + x)^2; ten roundings, so 1e-14 is over five times their sum
  const Dual y = exp_at(x * x) / (Dual(1) + x);
  CHECK(y[0] == Approx(std::exp(0.5625) / 1.75).epsilon(1e-14));
  CHECK(y[1] == Approx(std::exp(0.5625) * (1.5 * 1.75 - 1) / (1.75 * 1.75)).epsilon(1e-14));
}

TEST_CASE("two step sizes nest, and each monomial keeps its own coefficient", "[series]") {
  using Inner = PowerSeries<Rational, 1>;
  using Two = PowerSeries<Inner, 1>;
  const Two a(Inner::monomial(1, 1));             // inner step size
  const Two b = Two::monomial(Inner(1), 1);       // outer step size
  const Two e = exp_at(Two(2) * a + Two(3) * b);  // 1 + 2a + 3b + 6ab + ...
  CHECK(e[0][0] == 1);
  CHECK(e[0][1] == 2);
  CHECK(e[1][0] == 3);
  CHECK(e[1][1] == 6);
}
