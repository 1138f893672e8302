// Rational functions of one symbol N that have poles at N = 0 and N = 1 only, in lowest terms.
#pragma once
#include <string>
#include <vector>

#include "core/rational.hpp"

namespace popgrad {

// factor N^a (N-1)^b Q(N): a and b of either sign, Q a primitive polynomial with integer coefficients, a positive leading
// one, and Q(0), Q(1) not 0. This form is unique, so equal functions print alike.
class RationalFunction {
 public:
  RationalFunction() = default;                // 0
  RationalFunction(int constant);              // NOLINT: a number is a constant function
  RationalFunction(const Rational& constant);  // NOLINT
  // p(N) / (N^at_zero (N-1)^at_one); coefficients of p, the constant term first; exponents of either sign.
  RationalFunction(const std::vector<Rational>& numerator, int at_zero, int at_one);

  // HypothesisError at a pole.
  Rational at(const Rational& N) const;
  // Q without its powers of N and N-1, constant term first; empty for the function 0. For N >= 2 the function has the sign of
  // factor() Q(N).
  const std::vector<Rational>& polynomial() const { return polynomial_; }
  const Rational& factor() const { return factor_; }
  // Order of the pole (negative: of the zero) there; 0 for the function 0.
  int pole_at_zero() const { return -power_; }
  int pole_at_one() const { return -shifted_; }
  // Degree at infinity: f ~ c N^degree; 0 for the function 0.
  int degree() const;

  RationalFunction& operator+=(const RationalFunction& b);
  friend RationalFunction operator+(RationalFunction a, const RationalFunction& b) { return a += b; }
  friend RationalFunction operator-(const RationalFunction& a);
  friend RationalFunction operator-(const RationalFunction& a, const RationalFunction& b) { return a + (-b); }
  friend RationalFunction operator*(const RationalFunction& a, const RationalFunction& b);
  friend bool operator==(const RationalFunction&, const RationalFunction&) = default;
  friend bool is_zero(const RationalFunction& a) { return a.factor_.is_zero(); }
  // "25*(N-1)/(9216*N^2)", "-(N-2)/(4*N)", "0". Products of powers, one fraction bar.
  friend std::string to_string(const RationalFunction& a);

 private:
  std::vector<Rational> over(int power, int shifted) const;  // numerator over N^power (N-1)^shifted, both <= its own

  Rational factor_ = 0;
  int power_ = 0, shifted_ = 0;            // of N and of N-1
  std::vector<Rational> polynomial_ = {};  // Q; empty for the function 0
};

}  // namespace popgrad
