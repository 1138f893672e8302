#include "core/rational_function.hpp"

#include "core/errors.hpp"
#include "core/interpolation.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

std::string text(const std::vector<Rational>& numerator, int at_zero, int at_one) {
  return to_string(RationalFunction(numerator, at_zero, at_one));
}

}  // namespace

TEST_CASE("a rational function is printed in lowest terms, powers of N and N-1 apart") {
  CHECK(text({}, 3, 2) == "0");
  CHECK(text({0, 0}, 3, 2) == "0");
  CHECK(text({5}, 0, 0) == "5");
  CHECK(text({Rational(-1, 4)}, 0, 0) == "-1/4");
  CHECK(text({1}, 1, 0) == "1/N");
  CHECK(text({1}, 0, 2) == "1/(N-1)^2");
  CHECK(text({-25, 25}, 2, 0) == "25*(N-1)/N^2");
  CHECK(text({0, Rational(-25, 2), Rational(25, 2)}, 3, 0) == "25*(N-1)/(2*N^2)");
  CHECK(text({1, -2, 1}, 0, 3) == "1/(N-1)");
  CHECK(text({Rational(2, 3), Rational(-4, 3), 2}, 1, 1) == "2*(3*N^2-2*N+1)/(3*N*(N-1))");
  CHECK(text({2, -1}, 0, 0) == "-(N-2)");
  CHECK(text({0, 1}, 0, -1) == "N*(N-1)");
}

TEST_CASE(
    "sums, differences and products of rational functions have the values that they should, and equal ones are equal") {
  const RationalFunction a({2, -1, 5}, 2, 1), b({1, 7}, 1, 3), one_over({1}, 1, 0);
  for (const int N : {2, 3, 10}) {
    const Rational x(N);
    CHECK((a + b).at(x) == a.at(x) + b.at(x));
    CHECK((a - b).at(x) == a.at(x) - b.at(x));
    CHECK((a * b).at(x) == a.at(x) * b.at(x));
    CHECK(a.at(x) == Rational(5 * N * N - N + 2, N * N * (N - 1)));
  }
  CHECK(a - a == RationalFunction());
  CHECK(is_zero(a - a));
  CHECK(a + b - b == a);
  CHECK(one_over * RationalFunction({0, 1}, 0, 0) == RationalFunction(1));
  CHECK_FALSE(a == b);
  CHECK(a.pole_at_zero() == 2);
  CHECK(a.pole_at_one() == 1);
  CHECK(a.degree() == -1);
  CHECK_THROWS_AS(a.at(0), HypothesisError);
  CHECK_THROWS_AS(a.at(1), HypothesisError);
}

TEST_CASE("interpolation weights give back the coefficients of a polynomial, and no node may come twice") {
  const std::vector<Rational> nodes = {2, 3, Rational(-1, 2), 7}, p = {1, Rational(-2, 3), 0, 5};
  const auto weights = interpolation_weights(nodes);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    Rational coefficient(0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Rational value(0);
      for (std::size_t k = p.size(); k-- > 0;) value = value * nodes[i] + p[k];
      coefficient += weights[j][i] * value;
    }
    CHECK(coefficient == p[j]);
  }
  CHECK(interpolation_weights({5}).front().front() == 1);
  CHECK_THROWS_AS(interpolation_weights({1, 2, 1}), HypothesisError);
  CHECK_THROWS_AS(interpolation_weights({}), HypothesisError);
}
