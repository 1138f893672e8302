#include "numerics/moment_fraction.hpp"

#include <utility>

#include "core/errors.hpp"

namespace popgrad {
namespace {

mpz_ptr raw(Integer& x) { return x.backend().data(); }
mpz_srcptr raw(const Integer& x) { return x.backend().data(); }

}  // namespace

Fractions::Fractions(Integer unit, Integer primes) : unit_(std::move(unit)), primes_(std::move(primes)) {
  // The texts only where they are needed: long integers are slow to write.
  if (unit_ <= 0) throw HypothesisError("Fractions", "unit", "positive", unit_.str());
  Integer rest = unit_;
  for (Integer common = gcd(rest, primes_); common > 1; common = gcd(rest, common)) rest /= common;
  if (rest != 1) throw HypothesisError("Fractions", "primes", "those of unit", "without those of " + rest.str());
}

Rational Fractions::operator()(const Integer& numerator) const {
  Rational result;
  if (numerator.is_zero()) return result;
  // Boost's constructor from two integers would look for their common divisor once more.
  mpq_ptr fraction = result.backend().data();
  mpz_set(mpq_numref(fraction), raw(numerator));
  mpz_set(mpq_denref(fraction), raw(unit_));
  // `common` keeps every prime that both may still share: primes that one of them has lost do not come back.
  Integer common;
  mpz_gcd(raw(common), mpq_numref(fraction), raw(primes_));
  while (true) {
    mpz_gcd(raw(common), mpq_denref(fraction), raw(common));
    if (mpz_cmp_ui(raw(common), 1) == 0) return result;
    mpz_divexact(mpq_numref(fraction), mpq_numref(fraction), raw(common));
    mpz_divexact(mpq_denref(fraction), mpq_denref(fraction), raw(common));
    mpz_gcd(raw(common), mpq_numref(fraction), raw(common));
  }
}

}  // namespace popgrad
