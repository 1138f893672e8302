// The checker checked: verdicts that are known beforehand.
#include "tests/oracle/taylor.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace popgrad::oracle;

namespace {

constexpr double u = 0x1.0p-53;

// A few roundings of numbers no larger than the value.
double few(double, double value) { return 4 * u * std::abs(value); }

// log(1 + e^(1000 x)) - 500 x^2 at x = 1 + h: a loss on logits scaled by 1000, with curvature of its own.
double steep(double h) {
  const double x = 1 + h;
  return 1000 * x + std::log1p(std::exp(-1000 * x)) - 500 * x * x + 250 * x * x * x;
}
constexpr double steep_slope = 1000 - 1000 + 750;

}  // namespace

TEST_CASE("Taylor test: x^2 at 3 with gradient 6 passes with slope 2, half the gradient fails with slope 1") {
  const auto square = [](double h) { return (3 + h) * (3 + h); };
  const TaylorResult right = taylor_test(square, 6, 0, few);
  CHECK(right.verdict == TaylorVerdict::pass);
  CHECK(std::abs(right.slope - 2) <= right.tolerance);
  CHECK(right.tolerance < 0.05);
  const TaylorResult half = taylor_test(square, 3, 0, few);
  CHECK(half.verdict == TaylorVerdict::fail);
  CHECK(std::abs(half.slope - 1) < 0.02);
}

TEST_CASE("Taylor test: three per cent off fails, with either sign, also when the third order is large") {
  for (const double third : {0.0, 1.0, -5.0}) {
    const auto f = [third](double h) { return 2 + 3 * h + h * h + third * h * h * h; };
    INFO("third order " << third);
    CHECK(taylor_test(f, 3, 0, few, 2, 14).verdict == TaylorVerdict::pass);
    CHECK(taylor_test(f, 3 * 1.03, 0, few, 2, 14).verdict == TaylorVerdict::fail);
    CHECK(taylor_test(f, 3 * 0.97, 0, few, 2, 14).verdict == TaylorVerdict::fail);
  }
}

TEST_CASE("Taylor test: logits times a thousand, where a fixed step misjudges a right gradient") {
  CHECK(taylor_test(steep, steep_slope, 0, few).verdict == TaylorVerdict::pass);
  CHECK(taylor_test(steep, steep_slope * 1.03, 0, few).verdict == TaylorVerdict::fail);
  // What the pitfall is about: a central difference with a fixed step of 1e-8 is off by more than any usual tolerance.
  const double difference = (steep(1e-8) - steep(-1e-8)) / 2e-8;
  CHECK(std::abs(difference - steep_slope) > 1e-7);
}

TEST_CASE("Taylor test: no curvature along the direction still passes, slope 3") {
  const TaylorResult cubic = taylor_test([](double h) { return 1 + h + h * h * h; }, 1, 0, few, 2, 10);
  CHECK(cubic.verdict == TaylorVerdict::pass);
  CHECK(std::abs(cubic.slope - 3) < 0.05);
}

TEST_CASE("Taylor test: undecided where roundoff hides the remainder, never passed") {
  // Affine: nothing is left above roundoff.
  CHECK(taylor_test([](double h) { return 5 + 2 * h; }, 2, 0, few).verdict == TaylorVerdict::undecided);
  // A remainder of 1e-14 h^2 beside a value of 1.
  CHECK(taylor_test([](double h) { return 1 + 1e-14 * h * h; }, 0, 0, few).verdict == TaylorVerdict::undecided);
  // The caller's own bound counts: the same parabola with values known to 0.01 only.
  const auto coarse = [](double, double) { return 0.01; };
  CHECK(taylor_test([](double h) { return (3 + h) * (3 + h); }, 6, 0, coarse).verdict == TaylorVerdict::undecided);
}

TEST_CASE("Taylor test: undecided where the direction is all but orthogonal to the gradient") {
  const auto f = [](double h) { return 1 + 1e-7 * h + h * h + h * h * h; };
  CHECK(taylor_test(f, 1e-7, 0, few).verdict == TaylorVerdict::undecided);
}

TEST_CASE("Taylor test: a step at which the value is not finite is not used") {
  const auto f = [](double h) { return h > 0.2 ? std::nan("") : (3 + h) * (3 + h); };
  const TaylorResult result = taylor_test(f, 6, 0, few);
  CHECK(result.verdict == TaylorVerdict::pass);
  CHECK_FALSE(result.points.front().usable);
}

TEST_CASE("Taylor test: steps limited by roundoff are left out rather than bending the line") {
  // The exact remainder is h^2 1e-6; at the smallest steps roundoff is larger than a sixteenth of it.
  const auto f = [](double h) { return 1 + h + 1e-6 * h * h; };
  const TaylorResult result = taylor_test(f, 1, 0, few, 2, 20);
  CHECK(result.verdict == TaylorVerdict::pass);
  CHECK_FALSE(result.points.back().usable);
}
