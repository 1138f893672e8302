// The largest coordinate M_n of a uniform random unit vector in the (n-1)-dimensional space of vectors with sum zero in R^n;
// the maximum normed residual of n Gaussians (Grubbs). One coordinate is sqrt((n-1)/n) cos(psi) with psi of density C_n
// sin^{n-3}(psi), and given it the others are a smaller vector of the same kind, so that
//   P(M_n > sqrt((n-1)/n) cos(psi)) = n C_n int_0^psi sin^{n-3}(phi) P(M_{n-1} <= sqrt(n/(n-1)) cot(phi)) dphi.
// M_2 = 1/sqrt(2); P(M_3 > sqrt(2/3) cos(psi)) = 3 psi/pi up to psi = pi/3.
// Stable in this direction, from the largest m down: an error of the exceedance at m is n P(coordinate > m) times an average
// of the errors above m, a factor of order one where M_n lives; below, where the factor is n/2, values are clipped to 1,
// which is what they are. (Summed from the smallest m up, F_n grows out of the far tail of F_{n-1} and takes its relative
// errors along.) Derivation: docs/theory.md, section 4, L2.onestep.
#pragma once
#include <vector>

namespace popgrad {

class MaxNormedResidual {
 public:
  // n >= 3 by the recursion from n = 3 up, each step a table of `cells` cells (3-point Gauss-Legendre in a cell, cubic
  // Hermite interpolation with the exact slope). Cost O(n cells). Throws HypothesisError unless 3 <= n <= 100000 and cells
  // >= 8.
  explicit MaxNormedResidual(int n, int cells = 1600);

  double exceedance(double m) const;  // P(M_n > m)

 private:
  double at_angle(double psi) const;  // P(M_n > sqrt((n-1)/n) cos(psi))
  void advance(int cells);

  int n_ = 3;
  double first_ = 0,
         last_ = 0;  // below first_, at most one coordinate can exceed: closed form; above last_, one surely does
  std::vector<double> value_, slope_;  // cells + 1 each, in the graded variable w of [first_, last_]
};

}  // namespace popgrad
