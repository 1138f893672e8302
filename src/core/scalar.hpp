// What a template asks of a number, for double and Rational: is_zero, exp_at, log_at, precedes, size_of. PowerSeries and
// RunningError bring their own. Declared before the templates that call them: argument-dependent lookup does not look into
// popgrad for double or for a Boost number. Hypotheses are tested with a plain if: these run millions of times, and
// require() builds its texts even when all is well.
#pragma once
#include <cmath>

#include "core/errors.hpp"
#include "core/rational.hpp"

namespace popgrad {

inline bool is_zero(double x) { return x == 0; }

// exp(x). A rational has a rational exponential only at 0; HypothesisError elsewhere.
inline double exp_at(double x) { return std::exp(x); }
inline Rational exp_at(const Rational& x) {
  if (!x.is_zero()) throw HypothesisError("exp_at", "x", "0, the only rational whose exponential is rational", to_string(x));
  return Rational(1);
}

// log(x), x > 0. Rational: only at 1.
inline double log_at(double x) {
  if (!(x > 0)) throw HypothesisError("log_at", "x", "a positive number", std::to_string(x));
  return std::log(x);
}
inline Rational log_at(const Rational& x) {
  if (x != 1) throw HypothesisError("log_at", "x", "1, the only rational whose logarithm is rational", to_string(x));
  return Rational(0);
}

// Order by value; a series is ordered by its constant term.
inline bool precedes(double a, double b) { return a < b; }
inline bool precedes(const Rational& a, const Rational& b) { return a < b; }

// |x| as a double, for reporting; a series reports its largest coefficient.
inline double size_of(double x) { return std::abs(x); }
inline double size_of(const Rational& x) { return std::abs(to_double(x)); }

}  // namespace popgrad
