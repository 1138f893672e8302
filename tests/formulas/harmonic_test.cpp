#include "theory/formulas/harmonic.hpp"

#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("exact harmonic numbers: small ones by hand") {
  CHECK(harmonic_exact(0) == 0);
  CHECK(harmonic_exact(1) == 1);
  CHECK(harmonic_exact(4) == Rational(25, 12));
  CHECK(harmonic_exact(3, 2) == Rational(49, 36));
  CHECK(harmonic_exact(0, 5) == 0);
  CHECK(harmonic_exact(3) != harmonic_exact(3, 2));
}

TEST_CASE("exact harmonic numbers: H(n) - H(n-1) = 1/n at n = 10000") {
  CHECK(harmonic_exact(10000) - harmonic_exact(9999) == Rational(1, 10000));
  CHECK(harmonic_exact(10000, 2) - harmonic_exact(9999, 2) == Rational(1, 100000000));
}

TEST_CASE("harmonic numbers in double agree with the exact ones up to the rounding of the sum") {
  for (const int n : {1, 2, 17, 1000, 4096})
    for (const int m : {1, 2, 3}) {
      const double exact = to_double(harmonic_exact(n, m));
      // n terms, each within two roundings (pow): (n + 2) u relative, all terms positive.
      const double bound = (n + 2) * 0x1p-53 * exact;
      CHECK(std::abs(harmonic(n, m) - exact) <= bound);
    }
}

TEST_CASE("harmonic numbers in double: the sum and the digamma branch meet at n = 4096") {
  // H(4097) - H(4096) = 1/4097 across the switch; both sides are accurate to about 4100 u H.
  for (const int m : {1, 2, 3}) {
    const double step = harmonic(4097, m) - harmonic(4096, m);
    CHECK(std::abs(step - std::pow(4097.0, -m)) <= 4100 * 0x1p-53 * 10);
  }
  CHECK(std::abs(harmonic(10000) - to_double(harmonic_exact(10000))) <= 20 * 0x1p-53 * 10);
  CHECK(std::abs(harmonic(10000, 2) - to_double(harmonic_exact(10000, 2))) <= 20 * 0x1p-53 * 2);
  // ln n + gamma + 1/(2n) - 1/(12 n^2), next term below 1e-26
  CHECK(std::abs(harmonic(1e6) - (std::log(1e6) + 0.57721566490153286 + 0.5e-6 - 1e-12 / 12)) <= 20 * 0x1p-53 * 15);
}

TEST_CASE("harmonic numbers refuse negative, fractional and endless arguments") {
  CHECK_THROWS_AS(harmonic_exact(-1), HypothesisError);
  CHECK_THROWS_AS(harmonic_exact(Rational(5, 2)), HypothesisError);
  CHECK_THROWS_AS(harmonic_exact(3, 0), HypothesisError);
  CHECK_THROWS_AS(harmonic_exact(2000000), HypothesisError);
  CHECK_THROWS_AS(harmonic(-1), HypothesisError);
  CHECK_THROWS_AS(harmonic(2.5), HypothesisError);
  CHECK_THROWS_AS(harmonic(3, 1.5), HypothesisError);
  CHECK_THROWS_AS(harmonic(std::numeric_limits<double>::infinity()), HypothesisError);
  CHECK_THROWS_AS(harmonic(std::numeric_limits<double>::quiet_NaN()), HypothesisError);
}
