// Internal to onestep_accuracy: the error rate for few tokens, where the law of the largest normed residual M has kinks.
#pragma once
#include "theory/formulas/normed_residual.hpp"
#include "theory/formulas/onestep_angle.hpp"

namespace popgrad {

// 1 - accuracy in the setting of onestep_accuracy.hpp, n = N - 1 wrong logits, `largest` the law of M_n. Only the direction of
// L among the vectors with sum zero matters. Let gamma be its angle from f1 and delta the azimuth from f2: L is wrong with
// probability P(M_n > sqrt(N/(N-1)) cot(gamma)), and as L.beta is chi_d and the rest normal, its direction has density
//   (cos gamma cos phi + sin gamma sin phi cos delta)_+^(d-1) sin(gamma)^(N-3) sin(delta)^(N-4) dgamma ddelta
// over [0, pi]^2, up to B(d/2, (N-2)/2) B((N-3)/2, 1/2)/2. The law of M_n is analytic but where j coordinates can just share
// the maximum, m_j = sqrt((n-j)/(nj)), and the density but where (.)_+ begins to cut: the integral is split at all of these.
// Hypothesis: N >= 4.
double onestep_error_rate_few(int N, int d, const OnestepOrders& orders, const MaxNormedResidual& largest);

}  // namespace popgrad
