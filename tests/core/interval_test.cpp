#include "core/interval.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "core/philox.hpp"
#include "core/rational.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

using Wide = boost::multiprecision::cpp_bin_float_50;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool contains(const Interval& x, const Rational& exact) {
  return (x.lower() == -infinity || Rational(x.lower()) <= exact) && (x.upper() == infinity || exact <= Rational(x.upper()));
}

// A random expression tree of + - * / on intervals of very different sizes, cancellations included, with one member of each
// leaf followed exactly. `Number` is Interval, or double for the control: point arithmetic without outward rounding.
template <class Number>
struct Both {
  Rational exact;
  Number enclosed;
};

template <class Number>
Both<Number> random_expression(Stream& stream, int depth, double spread) {
  if (depth == 0) {
    const double scale = std::ldexp(1.0, static_cast<int>(stream.below(20)) - 10), x = stream.normal() * scale;
    const double a = x - spread * scale * stream.uniform(), b = x + spread * scale * stream.uniform();
    if constexpr (std::is_same_v<Number, double>)
      return {Rational(x), x};
    else
      return {Rational(x), Interval(a, b)};
  }
  const auto a = random_expression<Number>(stream, depth - 1, spread),
             b = random_expression<Number>(stream, depth - 1, spread);
  switch (stream.below(4)) {
    case 0:
      return {a.exact + b.exact, a.enclosed + b.enclosed};
    case 1:
      return {a.exact - b.exact, a.enclosed - b.enclosed};
    case 2:
      return {a.exact * b.exact, a.enclosed * b.enclosed};
    default:
      return {a.exact / b.exact, a.enclosed / b.enclosed};
  }
}

double ulps(const Interval& x) { return x.width() / (next_above(std::abs(x.upper())) - std::abs(x.upper())); }

}  // namespace

TEST_CASE("interval: random expressions contain the exact value of their members, point arithmetic does not", "[interval]") {
  for (const double spread : {0.0, 1e-12, 0.01, 3.0}) {
    int outside = 0, bounded = 0, wrong_point = 0;
    for (std::uint64_t sample = 0; sample < 1500; ++sample) {
      Stream stream(2, Purpose::test, sample);
      const auto x = random_expression<Interval>(stream, 4, spread);
      if (!contains(x.enclosed, x.exact)) ++outside;
      if (x.enclosed.bounded()) ++bounded;
      Stream again(2, Purpose::test, sample);
      const auto point = random_expression<double>(again, 4, spread);
      if (Rational(point.enclosed) != point.exact) ++wrong_point;
    }
    INFO("spread " << spread << ", bounded " << bounded);
    CHECK(outside == 0);
    CHECK(bounded > (spread > 1 ? 0 : 1000));
    CHECK(wrong_point > 1000);
  }
}

TEST_CASE("interval: neighbours at zero, among subnormals and at the ends of the line", "[interval]") {
  const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  CHECK(next_above(0.0) == least);
  CHECK(next_above(-0.0) == least);
  CHECK(next_below(0.0) == -least);
  CHECK(next_below(least) == 0);
  CHECK(next_above(most) == infinity);
  CHECK(next_below(infinity) == most);  // what rounded to infinity was above it
  CHECK(next_below(-infinity) == -infinity);
  for (const double x : {1.0, -1.0, 0.1, -3e-310, 1e300}) {
    CHECK(next_above(x) == std::nextafter(x, infinity));
    CHECK(next_below(x) == std::nextafter(x, -infinity));
  }
}

TEST_CASE("interval: a sum is as narrow as its roundings allow, and exact where nothing rounds", "[interval]") {
  Interval sum(0), integers(0);
  Rational exact(0);
  double allowed = 0;
  for (int i = 1; i <= 1000; ++i) {
    sum += Interval(1) / Interval(i);
    exact += Rational(1) / Rational(i);
    integers += Interval(i);
    // A quotient is two neighbours wide, an addition moves at most one end by one neighbour, on either side.
    allowed += 4 * 0x1p-53 / i + 4 * 0x1p-53 * to_double(exact);
  }
  CHECK(contains(sum, exact));
  CHECK(sum.width() <= allowed);
  CHECK(sum.width() > 0);
  CHECK(integers.lower() == 500500);
  CHECK(integers.upper() == 500500);
  CHECK(is_zero(Interval(3) - Interval(3)));
  CHECK_FALSE(is_zero(Interval(1) / Interval(3) - Interval(1) / Interval(3)));  // two thirds that may differ
}

TEST_CASE("interval: exp and log contain 50 digits of the value, a few units in the last place wide", "[interval]") {
  Stream stream(3, Purpose::test, 0);
  double widest_exp = 0, widest_log = 0;
  int outside = 0;
  for (int i = 0; i < 4000; ++i) {
    const double x =
        i % 2 == 0 ? stream.normal() * std::ldexp(1.0, -static_cast<int>(stream.below(40))) : -708 + 1417 * stream.uniform();
    const Interval e = exp_at(Interval(x));
    const Wide exact = exp(Wide(x));
    if (!(Wide(e.lower()) <= exact && exact <= Wide(e.upper()))) ++outside;
    widest_exp = std::max(widest_exp, ulps(e));
    const double y = std::exp(x);
    if (y < 1e-300 || y > 1e300 || std::abs(x) < 0.1) continue;  // near 1 the width is relative to 1
    const Interval l = log_at(Interval(y));
    const Wide exact_log = log(Wide(y));
    if (!(Wide(l.lower()) <= exact_log && exact_log <= Wide(l.upper()))) ++outside;
    widest_log = std::max(widest_log, l.width() / 0x1p-52);
  }
  INFO("widest exp " << widest_exp << " ulp, widest log " << widest_log << " units of 2^-52");
  CHECK(outside == 0);
  CHECK(widest_exp <= 8);             // the last product and sum of Horner's scheme: 1 + r sum with |r| <= 0.36, two ends
  CHECK(widest_log <= 8 + 3 * 1024);  // one unit in the last place of a logarithm up to 700 is 2^-43
  const Interval e = exp_at(Interval(-1, 2));
  CHECK(e.lower() == exp_at(Interval(-1)).lower());
  CHECK(e.upper() == exp_at(Interval(2)).upper());
  const Interval narrow = exp_at(Interval(1, 1 + 1e-9));
  CHECK(Wide(narrow.lower()) <= exp(Wide(1)));
  CHECK(exp(Wide(1 + 1e-9)) <= Wide(narrow.upper()));
  CHECK(narrow.width() < 2.72e-9);
  CHECK(is_zero(exp_at(Interval(0)) - Interval(1)));
  CHECK(exp_at(Interval(-800)).lower() == 0);
  CHECK(exp_at(Interval(-800)).upper() > 0);  // e^-800 is not zero
  CHECK_FALSE(exp_at(Interval(800)).bounded());
  CHECK_THROWS_AS(log_at(Interval(0, 1)), HypothesisError);
}

TEST_CASE("interval: what cannot be enclosed is the whole line, and stays so", "[interval]") {
  const Interval whole = Interval::whole(), one(1), across(-1, 2);
  CHECK_FALSE((one / across).bounded());
  CHECK_FALSE((Interval(1e308) + Interval(1e308)).bounded());
  CHECK_FALSE((Interval(1e200) * Interval(1e200)).bounded());
  CHECK_FALSE((Interval(1) / Interval(1e-320)).bounded());
  for (const Interval& x : {whole + one, whole - whole, whole * across, whole / one, one / whole, exp_at(whole)}) {
    CHECK(x.lower() == -infinity);
    CHECK(x.upper() == infinity);
  }
  CHECK(is_zero(Interval(0) * whole));
  CHECK_THROWS_AS(one / Interval(0), HypothesisError);
  CHECK_THROWS_AS(Interval(2, 1), HypothesisError);
  CHECK_THROWS_AS(Interval(std::nan("")), HypothesisError);
  // Underflow: the product of two positive numbers is positive, but no double says so.
  const Interval tiny = Interval(1e-200) * Interval(1e-200);
  CHECK(tiny.lower() == 0);
  CHECK(tiny.upper() > 0);
}

TEST_CASE("interval: a sign is certain only when zero lies outside", "[interval]") {
  CHECK(certainly_positive(Interval(1e-300, 1)));
  CHECK_FALSE(certainly_positive(Interval(0, 1)));
  CHECK_FALSE(certainly_positive(Interval(-1, 1)));
  CHECK_FALSE(certainly_negative(Interval(-1, 1)));
  CHECK_FALSE(certainly_not_positive(Interval(-1, 1)));
  CHECK_FALSE(certainly_positive(Interval::whole()));
  CHECK(certainly_negative(Interval(-2, -1)));
  CHECK(certainly_not_positive(Interval(0)));
}
