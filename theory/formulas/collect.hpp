// A formula as one fraction: common factors out, the rest collected in its harmonic numbers.
#pragma once
#include "theory/formulas/formula.hpp"

namespace popgrad {

// The same rational function of the symbols and harmonic numbers, as g (sum_k c_k h_k)/d with polynomials g, c_k, d of the
// symbols, each factored, and h_k products of harmonic numbers. Equal wherever the given formula has a value; where it has
// none (N = 4 in (N-4)/(N-4)) the result may have one. HypothesisError for sqrt, exp and exponents that are no integers.
Formula collected(const Formula& formula);

}  // namespace popgrad
