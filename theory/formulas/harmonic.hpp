// Harmonic numbers H(n, m) = sum_{i=1}^n i^-m, H(n) = H(n, 1), H(0, m) = 0.
#pragma once
#include "core/rational.hpp"

namespace popgrad {

// H(T-1), or H(T) in its place: a false statement, for negative controls.
enum class HarmonicEnd { right, one_more };

// Exact, by binary splitting (one gcd at the end). n an integer in 0..1000000, m an integer in 1..64, n m at
// most 1000000 (the number has about 1.4 n m bits); HypothesisError otherwise.
Rational harmonic_exact(const Rational& n, const Rational& m = 1);

// In double: the sum from the smallest term up for n <= 4096 (error below n u relative, no cancellation), beyond it
// H(n) = digamma(n + 1) + gamma and H(n, m) = zeta(m) - (-1)^m polygamma(m - 1, n + 1)/(m - 1)!.
// n >= 0 and 1 <= m <= 64 must be integers; HypothesisError otherwise (also for NaN and infinity).
double harmonic(double n, double m = 1);

}  // namespace popgrad
