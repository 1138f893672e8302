// L2.onestep at finite d: the probability, over the embeddings, that one population step from W = 0 classifies an input
// right. Setting of onestep_moments.hpp: L = U U^T B with Gaussian embeddings, right if L_k > L_j for all j != k; the same
// for all k, t and eta > 0.
//
// With g = U^T B/|B|, a standard normal over sqrt(d), L is proportional to chi_d beta + (I - beta beta^T) zeta, beta =
// B/|B|, zeta ~ N(0, I). Among the vectors with sum zero let f1 be the contrast of k against the rest and f2 the direction
// of the centred wrong part of B, which is uniform. For phi the angle of beta in that plane,
//   cot(phi) = [sqrt((N-1)/(2N)) chi'_d + sqrt((N+1)/(2N)) nu]/chi_{N-2}
// (w_E(k) is half of y plus an independent half, so that w_E(k)^T y/|y| = |y|/2 + N(0, 1/(2d))). Then
//   L.f1 = chi_d cos(phi) - omega sin(phi),  L.f2 = chi_d sin(phi) + omega cos(phi),  and N - 3 more standard normals;
// D = L_k - mean of the wrong = (L.f1) sqrt(N/(N-1)), the centred wrong logits have norm R, R^2 = (L.f2)^2 + chi_{N-3}^2,
// and a direction that is uniform and independent of all this: right iff D > R M_{N-1} (normed_residual.hpp). chi', chi_d,
// nu, omega, chi_{N-2}, chi_{N-3} are independent. N = 2: Student's distribution function at sqrt(d/3). N = 3: the two wrong
// logits leave |angle| < 60 degrees, again Student in one variable. Derivation: docs/theory.md, section 4,
// L2.onestep.
#pragma once
#include <vector>

namespace popgrad {

struct QuadratureValue {
  double value = 0;
  double error = 0;  // change between two orders of quadrature and two tables of M, plus roundoff; an estimate, not a proof
};

// Accuracy in dimension d. Throws HypothesisError unless 2 <= N <= 4096 and d >= 1. A few tenths of a second.
QuadratureValue onestep_accuracy(int N, int d);

// onestep_accuracy at several d; what depends on N alone is computed once.
std::vector<QuadratureValue> onestep_accuracies(int N, const std::vector<int>& dimensions);

// 1 - accuracy, computed without cancellation.
QuadratureValue onestep_error_rate(int N, int d);

// Smallest d with onestep_error_rate(N, d) <= epsilon, by doubling and bisection; takes the rate to decrease in d.
// Throws HypothesisError unless 1e-9 <= epsilon < 1 - 1/N, or beyond d = 2^20.
int dimension_for_accuracy(int N, double epsilon);

}  // namespace popgrad
