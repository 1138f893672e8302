// A closed interval of reals with double ends, rounded outward: the scalar behind the grade "certified".
#pragma once
#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <string>

#include "core/errors.hpp"

namespace popgrad {

// Neighbours among the doubles and infinities. NaN stays NaN.
constexpr double next_above(double x) {
  if (!(x < std::numeric_limits<double>::infinity())) return x;
  const auto bits = std::bit_cast<std::int64_t>(x + 0.0);  // no -0
  return std::bit_cast<double>(bits >= 0 ? bits + 1 : bits - 1);
}
constexpr double next_below(double x) { return -next_above(-x); }

// Every operation contains what the same operation gives in real arithmetic for all members of its operands. With fl
// rounding to nearest, a op b lies strictly between the neighbours of fl(a op b), underflow and overflow included:
//   x + y : fl, moved outward only where the error fl - exact (computed without error, Knuth's TwoSum) has the wrong sign
//   x y, x / y : the neighbours of the extreme fl; an end at zero of operands without a sign change stays zero
//   exp x, log x : interval.cpp, by these operations alone; nothing is assumed of the C library
// Assumed: IEEE doubles without excess precision (asserted below), rounding to nearest, subnormals on. The rounding mode is
// never changed, so no compiler has to respect it. What is not a bounded interval (overflow, a divisor that may be zero) is
// the whole line.
//
// Ends are compared explicitly: there are no operators < or == that would have to answer for overlapping intervals.
class Interval {
 public:
  constexpr Interval() = default;
  constexpr Interval(double exact) : Interval(exact, exact) {}  // NOLINT: a double is exact
  constexpr Interval(int exact) : Interval(exact, exact) {}     // NOLINT
  // HypothesisError unless lower <= upper.
  constexpr Interval(double lower, double upper) : lower_(lower), upper_(upper) {
    if (!(lower <= upper))
      throw HypothesisError("Interval", "ends", "lower <= upper", std::to_string(lower) + ", " + std::to_string(upper));
  }
  static constexpr Interval whole() {
    Interval x;
    x.lower_ = -std::numeric_limits<double>::infinity();
    x.upper_ = std::numeric_limits<double>::infinity();
    return x;
  }

  constexpr double lower() const { return lower_; }
  constexpr double upper() const { return upper_; }
  double middle() const { return lower_ == upper_ ? lower_ : 0.5 * lower_ + 0.5 * upper_; }
  double width() const { return lower_ == upper_ ? 0 : next_above(upper_ - lower_); }
  // false for the whole line, and when upper - lower overflows
  constexpr bool bounded() const { return upper_ - lower_ <= std::numeric_limits<double>::max(); }
  constexpr bool contains(double x) const { return lower_ <= x && x <= upper_; }

  Interval& operator+=(const Interval& other) { return *this = *this + other; }
  Interval& operator-=(const Interval& other) { return *this = *this - other; }

  friend constexpr bool is_zero(const Interval& x) { return x.lower_ == 0 && x.upper_ == 0; }
  // An order of the midpoints, for choosing what a softmax subtracts: any choice is sound, a good one does not overflow.
  friend bool precedes(const Interval& a, const Interval& b) { return a.middle() < b.middle(); }
  friend constexpr double size_of(const Interval& x) { return std::max(-x.lower_, x.upper_); }

  friend constexpr Interval operator-(const Interval& x) { return raw(-x.upper_, -x.lower_); }
  friend constexpr Interval operator+(const Interval& x, const Interval& y) {
    return checked(sum_below(x.lower_, y.lower_), -sum_below(-x.upper_, -y.upper_));
  }
  friend constexpr Interval operator-(const Interval& x, const Interval& y) { return x + (-y); }
  friend constexpr Interval operator*(const Interval& x, const Interval& y) {
    if (is_zero(x) || is_zero(y)) return {};
    if (!x.bounded() || !y.bounded()) return whole();
    if (x.lower_ >= 0 && y.lower_ >= 0)
      return checked(std::max(0.0, next_below(x.lower_ * y.lower_)), next_above(x.upper_ * y.upper_));
    const double a = x.lower_ * y.lower_, b = x.lower_ * y.upper_, c = x.upper_ * y.lower_, d = x.upper_ * y.upper_;
    return checked(next_below(std::min({a, b, c, d})), next_above(std::max({a, b, c, d})));
  }
  // HypothesisError if y is exactly zero.
  friend constexpr Interval operator/(const Interval& x, const Interval& y) {
    if (is_zero(y)) throw HypothesisError("Interval division", "divisor", "not zero", "0");
    if (is_zero(x)) return {};
    if (!x.bounded() || !y.bounded() || y.contains(0)) return whole();
    const double a = x.lower_ / y.lower_, b = x.lower_ / y.upper_, c = x.upper_ / y.lower_, d = x.upper_ / y.upper_;
    const double below = next_below(std::min({a, b, c, d})), above = next_above(std::max({a, b, c, d}));
    return checked(x.lower_ >= 0 && y.lower_ > 0 ? std::max(0.0, below) : below, above);
  }
  friend Interval exp_at(const Interval& x);
  friend Interval log_at(const Interval& x);  // HypothesisError unless all of x is positive

 private:
  static constexpr Interval raw(double lower, double upper) {
    Interval x;
    x.lower_ = lower;
    x.upper_ = upper;
    return x;
  }
  static constexpr Interval checked(double lower, double upper) {
    const Interval x = raw(lower, upper);
    return x.bounded() ? x : whole();
  }
  // The largest double known to be at most a + b. Infinite or NaN results are caught by checked().
  static constexpr double sum_below(double a, double b) {
    const double sum = a + b, b_part = sum - a, rest = (a - (sum - b_part)) + (b - b_part);
    return rest < 0 ? next_below(sum) : sum;
  }

  double lower_ = 0, upper_ = 0;
};
static_assert(FLT_EVAL_METHOD == 0 && std::numeric_limits<double>::is_iec559);

Interval exp_at(const Interval& x);
Interval log_at(const Interval& x);

// What an enclosure proves. An interval that contains zero decides nothing unless it is zero.
inline bool certainly_positive(const Interval& x) { return x.lower() > 0; }
inline bool certainly_negative(const Interval& x) { return x.upper() < 0; }
inline bool certainly_not_positive(const Interval& x) { return x.upper() <= 0; }

}  // namespace popgrad
