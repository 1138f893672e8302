// Polynomial interpolation in exact arithmetic.
#pragma once
#include <vector>

#include "core/rational.hpp"

namespace popgrad {

// w[j][i]: the coefficient of x^j of the Lagrange polynomial that is 1 at nodes[i] and 0 at the others, so that the
// polynomial of degree < n through values v_i has the coefficients sum_i w[j][i] v_i. Worth its n^2 numbers where many
// polynomials share the nodes. HypothesisError if there is no node or two are equal.
std::vector<std::vector<Rational>> interpolation_weights(const std::vector<Rational>& nodes);

}  // namespace popgrad
