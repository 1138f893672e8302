#include "core/interval.hpp"

#include <array>
#include <cmath>

namespace popgrad {
namespace {

// log 2 = 0x1.62e42fee p-1 + 0x1.a39ef35793c7673007e5.. p-33 (OEIS A068426). A product of the head with an integer below
// 2^21 is exact.
constexpr double log2_head = 0x1.62e42feep-1;
constexpr Interval log2_rest(0x1.a39ef35793c76p-33, 0x1.a39ef35793c77p-33);

constexpr int degree = 15;
constexpr std::array<Interval, degree + 1> one_over = [] {
  std::array<Interval, degree + 1> inverse;
  for (int j = 1; j <= degree; ++j) inverse[static_cast<std::size_t>(j)] = Interval(1) / Interval(j);
  return inverse;
}();

// exp(r), |r| <= 0.36: Taylor's polynomial by Horner, and the rest: |r|^16/16! e^|r| < 0.36^16/16! 1.44 < 2^-67.
Interval exp_reduced(const Interval& r) {
  Interval sum(1);
  for (int j = degree; j >= 2; --j) sum = Interval(1) + r * one_over[static_cast<std::size_t>(j)] * sum;
  return Interval(1) + (r * sum + Interval(-0x1p-67, 0x1p-67));
}

// exp x = 2^k exp(x - k log 2). Any k would do: that the reduced argument is small is checked, not assumed.
Interval exp_of(double x) {
  if (x < -708) return {0, 0x1p-1020};  // e^-708 = 2^-1021.4..
  if (!(x <= 709)) return Interval::whole();
  const int k = static_cast<int>(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  const Interval r = Interval(x) - Interval(k * log2_head) - Interval(k) * log2_rest;
  if (!(size_of(r) <= 0.36)) return Interval::whole();
  const Interval power = exp_reduced(r);  // in [0.69, 1.44]: scaled by -1022 < k < 1024 it is neither subnormal nor infinite
  const double scale = std::ldexp(1.0, k);
  return {power.lower() * scale, power.upper() * scale};
}

// log x = y + log z, z = x exp(-y), for the y of the C library, right or wrong; and 1 - 1/z <= log z <= z - 1.
Interval log_of(double x) {
  const double y = std::log(x);
  const Interval z = Interval(x) * exp_at(Interval(-y));
  if (!certainly_positive(z)) return Interval::whole();
  const Interval below = Interval(1) - Interval(1) / z, above = z - Interval(1);
  return Interval(y) + Interval(below.lower(), above.upper());
}

}  // namespace

Interval exp_at(const Interval& x) {
  if (is_zero(x)) return {1};
  const Interval low = exp_of(x.lower());
  if (x.lower() == x.upper()) return low;
  const double width = x.width();
  // exp(lower + w) <= exp(lower) (1 + w + w^2) for 0 <= w <= 1: one exponential for the narrow intervals that are the rule.
  const Interval high =
      width < 0x1p-20 ? low * (Interval(1) + Interval(width) + Interval(width) * Interval(width)) : exp_of(x.upper());
  if (!low.bounded() || !high.bounded()) return Interval::whole();
  return {low.lower(), high.upper()};
}

Interval log_at(const Interval& x) {
  if (!certainly_positive(x))
    throw HypothesisError("log_at", "x", "a positive interval", std::to_string(x.lower()) + " below");
  if (!x.bounded()) return Interval::whole();
  const Interval low = log_of(x.lower()), high = x.lower() == x.upper() ? low : log_of(x.upper());
  return {low.lower(), high.upper()};
}

}  // namespace popgrad
