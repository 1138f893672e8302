#include "numerics/moment_reads.hpp"

#include <algorithm>

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ReadScale::ReadScale(int T) : scale_(1) {
  for (int i = 2; i <= T; ++i) scale_ = lcm(scale_, Integer(i));
  square_ = scale_ * scale_;
  inverse_ = harmonic_ = harmonic2_ = {Integer(0)};
  for (int i = 1; i <= T; ++i) {
    inverse_.push_back(scale_ / i);
    harmonic_.push_back(harmonic_.back() + inverse_.back());
    harmonic2_.push_back(harmonic2_.back() + inverse_.back() * inverse_.back());
  }
}

// Token r is read at t = r alone, or with weight 1/(t+1) at every t >= r (positions from 0).
Integer ReadScale::column(Reading reading, int r, int L) const {
  return reading == Reading::token ? scale_ : harmonic_[at(L)] - harmonic_[at(r)];
}

Integer ReadScale::overlap(Reading f, Reading x, int r, int u, int L) const {
  if (f == Reading::prefix && x == Reading::prefix) return harmonic2_[at(L)] - harmonic2_[at(std::max(r, u))];
  if (f == Reading::prefix) return r <= u ? scale_ * inverse_[at(u + 1)] : Integer(0);
  if (x == Reading::prefix) return u <= r ? scale_ * inverse_[at(r + 1)] : Integer(0);
  return r == u ? square_ : Integer(0);
}

ReadCovariance ReadScale::covariance(Reading f, Reading x, int L) const {
  // In units of 1 / (L scale^2).
  const auto c = [&](int r, int u) { return Integer(overlap(f, x, r, u, L) * L - column(f, r, L) * column(x, u, L)); };
  std::array<Integer, 9> special;
  Integer diagonal(0);
  for (int r = 0; r < L; ++r) diagonal += c(r, r);
  for (int tau = 0; tau <= L - 3; ++tau) {
    const std::array<int, 3> places = {tau, tau + 1, L - 1};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) special[3 * a + b] += c(places[a], places[b]);
  }
  const Integer unit = square_ * L;
  ReadCovariance result;
  for (std::size_t i = 0; i < 9; ++i) result.special[i] = Rational(special[i], unit * (L - 2));
  result.diagonal = Rational(diagonal, unit);
  return result;
}

std::array<Rational, 3> ReadScale::weights(Reading f, int L) const {
  std::array<Integer, 3> sum;
  for (int tau = 0; tau <= L - 3; ++tau) {
    sum[0] += column(f, tau, L);
    sum[1] += column(f, tau + 1, L);
    sum[2] += column(f, L - 1, L);
  }
  const Integer unit = scale_ * (L - 2);
  return {Rational(sum[0], unit), Rational(sum[1], unit), Rational(sum[2], unit)};
}

}  // namespace popgrad
