#include "numerics/moment_reads.hpp"

#include <algorithm>

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ReadScale::ReadScale(int T) : scale_(1) {
  for (int i = 2; i <= T; ++i) scale_ = lcm(scale_, Integer(i));
  square_ = scale_ * scale_;
  for (Table* table : {&inverse_, &harmonic_, &harmonic2_, &sum_, &sum2_, &squares_, &neighbours_}) *table = {Integer(0)};
  for (int i = 1; i <= T; ++i) {
    inverse_.push_back(scale_ / i);
    const Integer below = harmonic_.back(), here = below + inverse_.back();
    sum_.push_back(sum_.back() + below);
    sum2_.push_back(sum2_.back() + harmonic2_.back());
    squares_.push_back(squares_.back() + below * below);
    neighbours_.push_back(neighbours_.back() + below * here);
    harmonic_.push_back(here);
    harmonic2_.push_back(harmonic2_.back() + inverse_.back() * inverse_.back());
  }
}

// Token r is read at t = r alone, or with weight 1/(t+1) at every t >= r (positions from 0): H(L) - H(r) in all.
std::array<Integer, 3> ReadScale::columns(Reading reading, int L) const {
  const int m = L - 2;
  if (reading == Reading::token) return {scale_ * m, scale_ * m, scale_ * m};
  const Integer all = harmonic_[at(L)] * m;
  return {all - sum_[at(m)], all - sum_[at(m + 1)], over(L) * m};
}

// Both prefixes: the overlap of r and u is that of positions from the later one on, H(L,2) - H(max(r,u),2). One prefix: the
// token at u is in those of r <= u, with weight 1/(u+1). Places are in the order of positions.
std::array<Integer, 9> ReadScale::overlaps(Reading f, Reading x, int L) const {
  const int m = L - 2;
  const bool both = f == Reading::prefix && x == Reading::prefix, neither = f == Reading::token && x == Reading::token;
  std::array<Integer, 3> by_place;
  if (both) {
    const Integer all = harmonic2_[at(L)] * m;
    by_place = {all - sum2_[at(m)], all - sum2_[at(m + 1)], over(L) * over(L) * m};
  } else if (neither) {
    by_place = {square_ * m, square_ * m, square_ * m};
  } else {
    by_place = {scale_ * harmonic_[at(m)], scale_ * (harmonic_[at(m + 1)] - scale_), scale_ * over(L) * m};
  }
  std::array<Integer, 9> sum;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      if (a == b || both || (!neither && (f == Reading::prefix ? a < b : b < a))) sum[3 * a + b] = by_place[std::max(a, b)];
  return sum;
}

std::array<Integer, 9> ReadScale::products(Reading f, Reading x, int L) const {
  const int m = L - 2;
  const std::array<Integer, 3> of_f = columns(f, L), of_x = columns(x, L);
  std::array<Integer, 9> sum;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      Integer& product = sum[3 * a + b];
      if (f == Reading::token) {
        product = scale_ * of_x[b];
      } else if (x == Reading::token) {
        product = scale_ * of_f[a];
      } else if (a == 2 || b == 2) {  // the last column is 1/L for every tau
        product = over(L) * of_f[std::min(a, b)];
      } else {
        // (H(L) - H(r)) (H(L) - H(u)), r and u = tau or tau + 1.
        const Integer& cross = a != b ? neighbours_[at(m)] : squares_[at(a == 0 ? m : m + 1)];
        product = harmonic_[at(L)] * (of_f[a] + of_f[b] - harmonic_[at(L)] * m) + cross;
      }
    }
  return sum;
}

// Sum over r of overlap(r, r) L - column(r) column(r).
Integer ReadScale::diagonal(Reading f, Reading x, int L) const {
  if (f == Reading::token && x == Reading::token) return square_ * L * (L - 1);
  const Integer &all = harmonic_[at(L)], &below = sum_[at(L)];
  if (f != x) return scale_ * (all * L - (all * L - below));
  return (harmonic2_[at(L)] * L - sum2_[at(L)]) * L - (all * all * L - all * below * 2 + squares_[at(L)]);
}

ReadCovariance ReadScale::covariance(Reading f, Reading x, int L) const {
  const std::array<Integer, 9> overlap = overlaps(f, x, L), product = products(f, x, L);
  const Integer unit = square_ * L;
  ReadCovariance result;
  for (std::size_t i = 0; i < 9; ++i) result.special[i] = Rational(overlap[i] * L - product[i], unit * (L - 2));
  result.diagonal = Rational(diagonal(f, x, L), unit);
  return result;
}

std::array<Rational, 3> ReadScale::weights(Reading f, int L) const {
  const std::array<Integer, 3> sum = columns(f, L);
  const Integer unit = scale_ * (L - 2);
  return {Rational(sum[0], unit), Rational(sum[1], unit), Rational(sum[2], unit)};
}

}  // namespace popgrad
