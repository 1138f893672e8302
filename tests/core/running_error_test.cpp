#include "core/running_error.hpp"

#include <cmath>
#include <string>

#include "tests/catch.hpp"
#include "core/philox.hpp"
#include "core/rational.hpp"

using namespace popgrad;

namespace {

// exact and bounded evaluation of the same expression
struct Both {
  Rational exact;
  RunningError bounded;
};

bool contains(const Both& x) {
  const Rational distance = abs(Rational(x.bounded.value) - x.exact);
  return distance <= Rational(x.bounded.error);
}

// A random expression tree of + - * / on doubles of very different sizes, cancellations included.
Both random_expression(Stream& stream, int depth) {
  if (depth == 0) {
    const double x = stream.normal() * std::ldexp(1.0, static_cast<int>(stream.below(20)) - 10);
    return {Rational(x), RunningError(x)};
  }
  const Both a = random_expression(stream, depth - 1), b = random_expression(stream, depth - 1);
  switch (stream.below(4)) {
    case 0:
      return {a.exact + b.exact, a.bounded + b.bounded};
    case 1:
      return {a.exact - b.exact, a.bounded - b.bounded};
    case 2:
      return {a.exact * b.exact, a.bounded * b.bounded};
    default:
      return {a.exact / b.exact, a.bounded / b.bounded};
  }
}

}  // namespace

TEST_CASE("the running bound contains the exact value of random expressions", "[running_error]") {
  int outside = 0, rounded = 0;
  for (std::uint64_t sample = 0; sample < 2000; ++sample) {
    Stream stream(1, Purpose::test, sample);
    const Both x = random_expression(stream, 4);
    if (!contains(x)) ++outside;
    if (Rational(x.bounded.value) != x.exact) ++rounded;
  }
  CHECK(outside == 0);
  CHECK(rounded > 1500);  // the test would be empty if nothing rounded
}

TEST_CASE("the bound is sharp: within a small factor of the true error of a sum, and it grows with cancellation",
          "[running_error]") {
  RunningError sum(0.0);
  Rational exact(0);
  for (int i = 1; i <= 1000; ++i) {
    sum += RunningError(1) / RunningError(i);
    exact += Rational(1) / Rational(i);
  }
  const double error = to_double(abs(Rational(Rational(sum.value) - exact)));
  CHECK(error <= sum.error);
  CHECK(sum.error < 1000 * 0x1p-53 * 8);  // below the a priori bound gamma_n sum |t|, which is 1000 u x 7.5
  const RunningError third = RunningError(1) / RunningError(3);
  const RunningError difference = third * RunningError(3) - RunningError(1);
  CHECK(difference.error >= 0x1p-54);
  CHECK(difference.error < 4 * 0x1p-53);
}

TEST_CASE("exact zeros stay exact", "[running_error]") {
  const RunningError third = RunningError(1) / RunningError(3);
  CHECK(is_zero(RunningError(0) * third));
  CHECK(is_zero(RunningError(0) / third));
  CHECK((RunningError(0) + third).error == third.error);
  CHECK_FALSE(is_zero(third - third));  // equal values with errors need not be equal numbers
  CHECK(exp_at(RunningError(0)).error == 0);
}

TEST_CASE("exp and log carry the error of their argument", "[running_error]") {
  // e^1 and log 3 to 40 digits (OEIS A001113, A002391)
  const Rational e("27182818284590452353602874713526624977572/10000000000000000000000000000000000000000");
  const Rational log3("10986122886681096913952452369225257046475/10000000000000000000000000000000000000000");
  const RunningError one = RunningError(1) / RunningError(3) * RunningError(3);
  CHECK(contains({e, exp_at(one)}));
  CHECK(exp_at(one).error > 2.7 * one.error);
  CHECK(contains({log3, log_at(RunningError(3))}));
  CHECK(exp_at(RunningError(-800)).value == 0);
  CHECK(exp_at(RunningError(-800)).error > 0);  // e^-800 is not zero
}

TEST_CASE("a divisor that may be zero is refused", "[running_error]") {
  const RunningError third = RunningError(1) / RunningError(3);
  CHECK_THROWS_AS(RunningError(1) / (third - third), HypothesisError);
  CHECK_THROWS_AS(log_at(third - third), HypothesisError);
}
