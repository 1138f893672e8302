// How two readings of the sequence vary together over its positions, summed over the places of the first trigger. Internal
// to numerics.
#pragma once
#include <array>
#include <vector>

#include "numerics/moment_integer.hpp"

namespace popgrad {

// What x1_t holds of a token function x: x_t itself (block E), or the mean of x over s <= t (block R: uniform first
// attention).
enum class Reading { token, prefix };

// The covariance over positions t of two readings is bilinear in the tokens: with readings A, B (rows t, each of sum 1)
//   sum_t (A f)_t (B x)_t - (1/L) sum_t (A f)_t sum_t (B x)_t = sum_ru c_ru f_r x_u,
// and all row and column sums of c are zero. So once f and x are replaced by their laws given tau, only c at the three
// positions that are not background (tau, tau+1 and the last) and its diagonal count.
struct ReadCovariance {
  std::array<Rational, 9> special;  // mean over tau of c_ab, a and b in {tau, tau+1, last}, row-major
  Rational diagonal;                // sum_r c_rr
};

// 1/i, harmonic numbers and their sums as integers over a common denominator: sums of rationals without a gcd each, and sums
// over the places of tau without a loop. O(T) to build.
class ReadScale {
 public:
  explicit ReadScale(int T);
  // Length 3 <= L <= T.
  ReadCovariance covariance(Reading f, Reading x, int L) const;
  // Weight of token r in the sum over t of a reading, sum_t A_tr: at tau, tau+1 and the last position, mean over tau.
  std::array<Rational, 3> weights(Reading f, int L) const;
  const Integer& scale() const { return scale_; }
  const Integer& over(int i) const { return inverse_[static_cast<std::size_t>(i)]; }  // scale / i, 1 <= i <= T

 private:
  using Table = std::vector<Integer>;
  // Sums over tau = 0 .. L-3 at the places tau, tau+1 and L-1, a and b row-major:
  std::array<Integer, 3> columns(Reading reading, int L) const;                // scale sum_t A_ta
  std::array<Integer, 9> overlaps(Reading f, Reading x, int L) const;          // scale^2 sum_t A_ta B_tb
  std::array<Integer, 9> products(Reading f, Reading x, int L) const;          // scale^2 (sum_t A_ta) (sum_t B_tb)
  Integer diagonal(Reading f, Reading x, int L) const;                         // L scale^2 sum_r c_rr
  Integer scale_, square_;
  Table inverse_, harmonic_, harmonic2_;  // scale/i; scale H(i); scale^2 H(i,2)
  // Sums over r < i of scale H(r), scale^2 H(r,2), scale^2 H(r)^2 and scale^2 H(r) H(r+1).
  Table sum_, sum2_, squares_, neighbours_;
};

}  // namespace popgrad
