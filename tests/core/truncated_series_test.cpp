// Against core/series.hpp, whose order is in the type and whose code shares nothing with this.
#include "core/truncated_series.hpp"

#include <vector>

#include "core/series.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

constexpr int order = 5;
using Fixed = PowerSeries<Rational, order>;

struct Both {
  TruncatedSeries dynamic;
  Fixed fixed;
};

Both both(const std::vector<Rational>& coefficients) {
  Both x{TruncatedSeries::monomial(0, 0, order), Fixed()};
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    x.dynamic += TruncatedSeries::monomial(coefficients[k], static_cast<int>(k), order);
    x.fixed[static_cast<int>(k)] = coefficients[k];
  }
  return x;
}

bool equal(const TruncatedSeries& a, const Fixed& b) {
  for (int k = 0; k <= order; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

const Both a = both({2, -1, Rational(1, 3), 0, 7, Rational(-5, 2)});
const Both b = both({Rational(3, 2), 4, 0, -1});
const Both small = both({0, 3, 0, 1, Rational(7, 3)});

}  // namespace

TEST_CASE("series of an order chosen at run time compute what those of a fixed order do") {
  CHECK(equal(a.dynamic + b.dynamic, a.fixed + b.fixed));
  CHECK(equal(a.dynamic - b.dynamic, a.fixed - b.fixed));
  CHECK(equal(-a.dynamic, -a.fixed));
  CHECK(equal(a.dynamic * b.dynamic, a.fixed * b.fixed));
  CHECK(equal(a.dynamic / b.dynamic, a.fixed / b.fixed));
  CHECK(equal(exp_at(small.dynamic), exp_at(small.fixed)));
  CHECK(equal(log_at(exp_at(small.dynamic)), small.fixed));
  CHECK(equal(TruncatedSeries(3) / b.dynamic, Fixed(3) / b.fixed));
  CHECK(equal(a.dynamic / TruncatedSeries(3), a.fixed / Fixed(3)));
  TruncatedSeries sum = a.dynamic;
  add_product(sum, b.dynamic, small.dynamic);
  CHECK(equal(sum, a.fixed + b.fixed * small.fixed));
  CHECK_FALSE(equal(a.dynamic * b.dynamic, a.fixed * a.fixed));
}

TEST_CASE("a number is known to every order, a result as far as both operands are") {
  const TruncatedSeries two(2);
  CHECK(two.known() == TruncatedSeries::everything);
  CHECK((two * two / TruncatedSeries(3)).known() == TruncatedSeries::everything);
  CHECK((two / TruncatedSeries(3))[1000] == 0);
  const TruncatedSeries h = TruncatedSeries::monomial(1, 1, 3);
  CHECK((two + h).known() == 3);
  CHECK((a.dynamic * h).known() == 3);
  CHECK((h - h).known() == 3);
  CHECK(is_zero(h - h));
  CHECK(is_zero(h * h * h * h));
  CHECK_THROWS_AS(h[4], HypothesisError);
  CHECK_THROWS_AS(h[-1], HypothesisError);
  CHECK_THROWS_AS(TruncatedSeries::monomial(1, 4, 3), HypothesisError);
}

TEST_CASE("series of an order chosen at run time refuse what is irrational or singular") {
  const TruncatedSeries h = TruncatedSeries::monomial(1, 1, 3);
  CHECK_THROWS_AS(exp_at(h + 1), HypothesisError);
  CHECK_THROWS_AS(log_at(h + 2), HypothesisError);
  CHECK_THROWS_AS(TruncatedSeries(1) / h, HypothesisError);
  CHECK(precedes(h, h + 1));
  CHECK(size_of(h * TruncatedSeries(-3)) == 3);
}
