#include "theory/formulas/harmonic.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/factorials.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/zeta.hpp>
#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

constexpr int largest_order = 64;
constexpr int largest_exact = 1000000;
constexpr double largest_sum = 4096;

struct Quotient {
  Integer above, below;
};

// sum_{first <= i < last} i^-m over the product of the denominators.
Quotient split(int first, int last, unsigned m) {
  if (last - first == 1) return {1, pow(Integer(first), m)};
  const int middle = first + (last - first) / 2;
  const Quotient a = split(first, middle, m), b = split(middle, last, m);
  return {a.above * b.below + b.above * a.below, a.below * b.below};
}

}  // namespace

Rational harmonic_exact(const Rational& n, const Rational& m) {
  require(denominator(n) == 1 && n >= 0 && n <= largest_exact, "harmonic_exact", "n",
          "an integer in 0.." + std::to_string(largest_exact), to_string(n));
  require(denominator(m) == 1 && m >= 1 && m <= largest_order, "harmonic_exact", "m",
          "an integer in 1.." + std::to_string(largest_order), to_string(m));
  require(n * m <= largest_exact, "harmonic_exact", "n m", "at most " + std::to_string(largest_exact), to_string(Rational(n * m)));
  const int count = static_cast<int>(n);
  if (count == 0) return 0;
  const Quotient sum = split(1, count + 1, static_cast<unsigned>(static_cast<int>(m)));
  return Rational(sum.above, sum.below);
}

double harmonic(double n, double m) {
  require(std::isfinite(n) && n >= 0 && std::floor(n) == n, "harmonic", "n", "an integer >= 0", std::to_string(n));
  require(std::isfinite(m) && m >= 1 && m <= largest_order && std::floor(m) == m, "harmonic", "m",
          "an integer in 1.." + std::to_string(largest_order), std::to_string(m));
  const int order = static_cast<int>(m);
  if (n <= largest_sum) {
    double total = 0;
    for (int i = static_cast<int>(n); i >= 1; --i) total += order == 1 ? 1.0 / i : std::pow(i, -order);
    return total;
  }
  if (order == 1) return boost::math::digamma(n + 1) + boost::math::constants::euler<double>();
  const double tail =
      boost::math::polygamma(order - 1, n + 1) / boost::math::factorial<double>(static_cast<unsigned>(order - 1));
  return boost::math::zeta(m) - (order % 2 == 0 ? tail : -tail);
}

}  // namespace popgrad
