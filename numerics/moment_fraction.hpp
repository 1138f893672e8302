// Fractions in lowest terms whose denominators are made of few primes. Internal to numerics.
#pragma once
#include "core/rational.hpp"
#include "numerics/moment_integer.hpp"

namespace popgrad {

// numerator / unit as a Rational, for many numerators. Two integers of thousands of bits have a common divisor that takes
// far longer to find than any sum of them; here it can only be made of primes of `unit`, so common divisors with the short
// integer `primes`, as often as there are some, are enough (a third of the time, measured at 1000 to 2500 bits).
class Fractions {
 public:
  // HypothesisError unless unit > 0 and every prime of unit divides primes.
  Fractions(Integer unit, Integer primes);
  Rational operator()(const Integer& numerator) const;

 private:
  Integer unit_, primes_;
};

}  // namespace popgrad
