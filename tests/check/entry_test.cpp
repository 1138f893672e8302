#include "check/entry.hpp"

#include <cmath>
#include <limits>

#include "check/exact_entry.hpp"
#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("a coefficient claimed zero passes at 1e-17 and fails at 1e-3, with the margin stated") {
  const Budget budget{1e-15, 0, 0};
  CHECK(entry("zero", 0, 1e-17, budget).ratio() == Approx(0.01));
  CHECK(entry("zero", 0, 1e-3, budget).ratio() > 1e11);
}

TEST_CASE("NaN anywhere is never inside the budget") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isinf(entry("a", 1, nan, {1, 0, 0}).ratio()));
  CHECK(std::isinf(entry("a", 1, 1.5, {nan, 0, 0}).ratio()));
}

TEST_CASE("without a budget only equality passes") {
  CHECK(entry("a", 1, 1, {}).ratio() == 0);
  CHECK(std::isinf(entry("a", 1, std::nextafter(1.0, 2.0), {}).ratio()));
}

TEST_CASE("an exact difference below double precision is still a difference") {
  const Rational one(1), million(1000000), tiny = one / (million * million * million * million * million);
  const Entry e = exact_entry("a", one, one + tiny);
  CHECK(e.predicted == e.measured);
  CHECK(e.difference > 0);
  CHECK(std::isinf(e.ratio()));
  CHECK(exact_entry("a", one / 3, Rational(2) / 6).ratio() == 0);
}

TEST_CASE("the roundoff bound contains the error of a long sum and is within three orders of it") {
  const int n = 1'000'000;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += 0.1;
  const double error = std::abs(sum - 100000.0);
  const double bound = roundoff_bound(n, 1e5);
  CHECK(error > 0);
  CHECK(error <= bound);
  CHECK(bound < 1e3 * error);
  CHECK_THROWS_AS(roundoff_bound(1e17, 1), HypothesisError);
}
