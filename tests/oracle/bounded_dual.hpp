// A forward-mode derivative that carries a computed bound on its own roundoff.
#pragma once
#include <cmath>

namespace popgrad::oracle {

// A number that is a sum of `terms` products, all together already off by `inherited`. Recomputed in double, with the terms
// added in any order, it is off by at most error() = inherited + terms u size, to first order in u = 2^-53; size is the sum
// of the magnitudes of the terms after all products are multiplied out, so cancellation and re-association are paid for.
struct BoundedNumber {
  double value = 0;
  double size = 0;
  double inherited = 0;
  double terms = 1;

  double error() const { return inherited + terms * 0x1.0p-53 * size; }
};

inline BoundedNumber operator-(BoundedNumber a) {
  a.value = -a.value;
  return a;
}

inline BoundedNumber operator+(const BoundedNumber& a, const BoundedNumber& b) {
  if (a.size == 0) return b;
  if (b.size == 0) return a;
  return {a.value + b.value, a.size + b.size, a.inherited + b.inherited, a.terms + b.terms};
}

inline BoundedNumber operator*(const BoundedNumber& a, const BoundedNumber& b) {
  const double ea = a.error(), eb = b.error();
  return {a.value * b.value, a.size * b.size, ea * std::abs(b.value) + std::abs(a.value) * eb + ea * eb, 1};
}

// 1/b, |b| > error(b): |1/(b+e) - 1/b| <= e / (|b| (|b| - e)).
inline BoundedNumber reciprocal(const BoundedNumber& b) {
  const double magnitude = std::abs(b.value), e = b.error();
  return {1 / b.value, 1 / magnitude, e / (magnitude * (magnitude - e)), 1};
}

// exp and log of the C library are taken to be within one unit in the last place, two roundings.
inline BoundedNumber exp(const BoundedNumber& a) {
  const double value = std::exp(a.value);
  return {value, value, value * std::expm1(a.error()), 2};
}

inline BoundedNumber log(const BoundedNumber& a) {
  const double value = std::log(a.value), e = a.error();
  return {value, std::abs(value), e / (a.value - e), 2};
}

// Value and derivative in one direction, both bounded.
//
// The bound holds for this evaluation and says this about others. An engine that computes the same derivative by the reverse
// mode adds the same products, one for every path from parameter to loss; along a path it multiplies where this type
// multiplies (charged at least once here) and after each product adds at most K numbers, K the largest fan-in or fan-out.
// Errors of shared intermediate values (attention, probabilities) move both routes alike, by what the product rule charges.
// Its error is therefore at most K error(), and two such routes differ by at most 2 K error().
struct BoundedDual {
  BoundedNumber value;
  BoundedNumber derivative;

  BoundedDual() = default;
  BoundedDual(double constant) : value{constant, std::abs(constant), 0, 1} {}  // implicit: constants appear in formulas
  BoundedDual(const BoundedNumber& v, const BoundedNumber& dv) : value(v), derivative(dv) {}
  static BoundedDual variable(double at) { return {BoundedDual(at).value, BoundedDual(1.0).value}; }

  friend BoundedDual operator+(const BoundedDual& a, const BoundedDual& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  friend BoundedDual operator-(const BoundedDual& a) { return {-a.value, -a.derivative}; }
  friend BoundedDual operator-(const BoundedDual& a, const BoundedDual& b) { return a + (-b); }
  friend BoundedDual operator*(const BoundedDual& a, const BoundedDual& b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  friend BoundedDual operator/(const BoundedDual& a, const BoundedDual& b) {
    const BoundedNumber r = reciprocal(b.value);
    return a * BoundedDual(r, -(b.derivative * (r * r)));
  }
  BoundedDual& operator+=(const BoundedDual& b) { return *this = *this + b; }
  friend BoundedDual exp(const BoundedDual& a) {
    const BoundedNumber e = exp(a.value);
    return {e, e * a.derivative};
  }
  friend BoundedDual log(const BoundedDual& a) { return {log(a.value), a.derivative * reciprocal(a.value)}; }
};

}  // namespace popgrad::oracle
