#include "theory/formulas/gauss_rules.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {
double moment(const QuadratureRule& rule, int power) {
  double total = 0;
  for (const auto& node : rule) total += node.weight * std::pow(node.x, power);
  return total;
}
}  // namespace

TEST_CASE("Gauss-Hermite: moments of a normal variable up to degree 2 n - 1, and no further") {
  const QuadratureRule rule = gauss_hermite(5);
  const double expected[] = {1, 0, 1, 0, 3, 0, 15, 0, 105, 0};
  for (int power = 0; power < 10; ++power) {
    double magnitude = 0;  // nodes and weights come with a relative error of a few u times the size of the matrix
    for (const auto& node : rule) magnitude += node.weight * std::pow(std::abs(node.x), power);
    CHECK(std::abs(moment(rule, power) - expected[power]) <= 1e-14 * (power + 10) * (1 + magnitude));
  }
  CHECK(std::abs(moment(rule, 10) - 945) > 1);  // one degree too high
}

TEST_CASE("Gauss-Legendre: moments of the uniform law up to degree 2 n - 1, and no further") {
  const QuadratureRule rule = gauss_legendre(5);
  for (int power = 0; power < 10; ++power) CHECK(std::abs(moment(rule, power) - 1.0 / (power + 1)) <= 1e-14);
  CHECK(std::abs(moment(rule, 10) - 1.0 / 11) > 1e-8);
  CHECK_THROWS_AS(gauss_legendre(0), HypothesisError);
}

TEST_CASE("trapezoidal rule: moments of a normal variable") {
  const QuadratureRule rule = trapezoidal(60);
  CHECK(std::abs(moment(rule, 0) - 1) <= 1e-14);
  CHECK(std::abs(moment(rule, 4) - 3) <= 1e-10);
  CHECK(std::abs(moment(rule, 8) - 105) <= 1e-7);
}

TEST_CASE("chi variables: E chi^2 = n and E chi = sqrt(2) Gamma((n+1)/2)/Gamma(n/2), down to n = 1") {
  for (const int degrees : {1, 2, 3, 10, 64, 500}) {
    const QuadratureRule rule = chi_rule(trapezoidal(60), degrees);
    const double mean = std::sqrt(2.0) * std::exp(std::lgamma((degrees + 1) / 2.0) - std::lgamma(degrees / 2.0));
    INFO("degrees " << degrees);
    CHECK(std::abs(moment(rule, 1) - mean) <= 1e-9 * mean);
    CHECK(std::abs(moment(rule, 2) - degrees) <= 1e-9 * degrees);
  }
  CHECK(chi_rule(trapezoidal(60), 0).size() == 1);
  CHECK(chi_rule(trapezoidal(60), 0)[0].x == 0);
}

TEST_CASE("a reduced rule keeps the moments of the law") {
  QuadratureRule law;
  for (int i = 0; i < 30; ++i) law.push_back({0.1 * i * i - 20, (i + 1) / 465.0});  // weights add up to 1
  const QuadratureRule rule = reduced_rule(law, 4);
  REQUIRE(rule.size() == 4);
  for (int power = 0; power < 8; ++power)
    CHECK(std::abs(moment(rule, power) - moment(law, power)) <= 1e-11 * std::pow(70, power));
  CHECK(std::abs(moment(rule, 8) - moment(law, 8)) > 1e-9 * std::pow(70, 8));
}

TEST_CASE("quadrature rules refuse sizes out of range") {
  CHECK_THROWS_AS(gauss_hermite(0), HypothesisError);
  CHECK_THROWS_AS(trapezoidal(1), HypothesisError);
  CHECK_THROWS_AS(chi_rule(gauss_hermite(3), -1), HypothesisError);
  CHECK_THROWS_AS(reduced_rule(gauss_hermite(5), 3), HypothesisError);
}
