// A double with a running bound on its own rounding error: the scalar behind the grade "enumerated".
#pragma once
#include <cmath>
#include <limits>
#include <string>

#include "core/errors.hpp"

namespace popgrad {

// |value - exact| <= error, where exact is what the same operations on the exact inputs give in real arithmetic. With
// u = 2^-53 and z the rounded result of x op y, whose inputs err by at most e and f:
//   x + y : e + f + u|z|        x y : |x| f + |y| e + e f + u|z|       x / y : (e + |z| f) / (|y| - f) + u|z|, |y| > f
//   exp x : |z| (exp(e) - 1) + 4u|z|       log x : e / (x - e) + 4u|z|, x > e
// (4u: the C library's exp and log are taken to be within 2 ulp; glibc and musl document less than 1.) The bound is itself
// computed in at most ten roundings of non-negative terms; rounded_up pays for them, and `tiny` for underflow.
struct RunningError {
  double value = 0;
  double error = 0;

  RunningError() = default;
  RunningError(double exact) : value(exact) {}  // NOLINT: a double is exact
  RunningError(int exact) : value(exact) {}     // NOLINT
  RunningError(double computed, double bound) : value(computed), error(bound) {}

  RunningError& operator+=(const RunningError& other) { return *this = *this + other; }
  RunningError& operator-=(const RunningError& other) { return *this = *this - other; }

  friend bool is_zero(const RunningError& x) { return x.value == 0 && x.error == 0; }
  friend bool precedes(const RunningError& a, const RunningError& b) { return a.value < b.value; }
  friend double size_of(const RunningError& x) { return std::abs(x.value); }

  friend RunningError operator+(const RunningError& x, const RunningError& y) {
    if (is_zero(x)) return y;
    if (is_zero(y)) return x;
    const double z = x.value + y.value;
    return {z, rounded_up(x.error + y.error + unit * std::abs(z))};
  }
  friend RunningError operator-(const RunningError& x) { return {-x.value, x.error}; }
  friend RunningError operator-(const RunningError& x, const RunningError& y) { return x + (-y); }
  friend RunningError operator*(const RunningError& x, const RunningError& y) {
    if (is_zero(x) || is_zero(y)) return {};
    const double z = x.value * y.value;
    return {z, rounded_up(std::abs(x.value) * y.error + std::abs(y.value) * x.error + x.error * y.error +
                          unit * std::abs(z) + tiny)};
  }
  friend RunningError operator/(const RunningError& x, const RunningError& y) {
    if (!(std::abs(y.value) > y.error))
      throw HypothesisError("RunningError division", "divisor", "a value larger than its error", std::to_string(y.value));
    if (is_zero(x)) return {};
    const double z = x.value / y.value;
    // The subtraction below may round up by u|y| relative to itself only: rounded_up covers it.
    return {z, rounded_up((x.error + std::abs(z) * y.error) / (std::abs(y.value) - y.error) + unit * std::abs(z) + tiny)};
  }
  friend RunningError exp_at(const RunningError& x) {
    if (is_zero(x)) return {1};
    const double z = std::exp(x.value);
    return {z, rounded_up(z * std::expm1(x.error) + 4 * unit * z + tiny)};
  }
  friend RunningError log_at(const RunningError& x) {
    if (!(x.value > x.error)) throw HypothesisError("log_at", "x", "a value larger than its error", std::to_string(x.value));
    const double z = std::log(x.value);
    return {z, rounded_up(x.error / (x.value - x.error) + 4 * unit * std::abs(z) + tiny)};
  }

 private:
  static constexpr double unit = 0x1p-53;
  static constexpr double tiny = std::numeric_limits<double>::min();
  static double rounded_up(double bound) { return bound * (1 + 0x1p-48); }
};

}  // namespace popgrad
