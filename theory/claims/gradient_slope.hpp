// Is the gradient of a minibatch the slope of its loss?
#pragma once
#include "check/row.hpp"
#include "numerics/batch_gradient.hpp"

namespace popgrad {

// For every map in `moved`, <g, V> against the slope of the pooled loss of the minibatch (the first `batch` training sequences of
// `source`) along V at `theta0`, from values of the loss alone: D(h) = (L(theta_0 + h V) - L(theta_0 - h V))/(2h), V = g/|g| and two
// random directions a map, |V| = 1. Measured is the extrapolated (4 D(h) - D(2h))/3. Budget: truncation, by how much it differs from
// D(h), though its error is of the next even order; roundoff of the two losses, over h. Controls: the reversed, the doubled and a
// 1.1 times too large gradient, and that of the second minibatch. Undecided where g is zero.
Row judge_gradient_slope(const FiniteModel& theta0, const SequenceSource& source, const std::vector<Map>& moved, const BatchGradient& batch,
                         std::uint64_t seed);

}  // namespace popgrad
