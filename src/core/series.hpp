// Truncated power series in one step size. (check/row.hpp has a struct Series, the numbers behind a figure.)
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "core/scalar.hpp"

namespace popgrad {

// c[0] + c[1] h + ... + c[K] h^K with O(h^{K+1}) dropped. C is Rational, double, RunningError or another PowerSeries (a
// second step size). All operations are exact on the kept coefficients up to the arithmetic of C.
template <class C, int K>
class PowerSeries {
  static_assert(K >= 1);

 public:
  using Coefficient = C;

  PowerSeries() { c_.fill(C(0)); }
  PowerSeries(int constant) : PowerSeries(C(constant)) {}               // NOLINT: a number is a constant series
  PowerSeries(const C& constant) : PowerSeries() { c_[0] = constant; }  // NOLINT
  // Without this a double would become an int on its way to a rational.
  template <class Real>
  requires(std::is_floating_point_v<Real> && !std::is_same_v<Real, C>) PowerSeries(Real constant)
  = delete;  // NOLINT
  // coefficient * h^order; HypothesisError unless 0 <= order <= K.
  static PowerSeries monomial(const C& coefficient, int order) {
    PowerSeries x;
    x[order] = coefficient;
    return x;
  }

  // HypothesisError unless 0 <= order <= K.
  const C& operator[](int order) const { return c_[checked(order)]; }
  C& operator[](int order) { return c_[checked(order)]; }

  PowerSeries& operator+=(const PowerSeries& b) {
    for (std::size_t k = 0; k < c_.size(); ++k) c_[k] += b.c_[k];
    return *this;
  }
  PowerSeries& operator-=(const PowerSeries& b) {
    for (std::size_t k = 0; k < c_.size(); ++k) c_[k] -= b.c_[k];
    return *this;
  }
  friend PowerSeries operator+(PowerSeries a, const PowerSeries& b) { return a += b; }
  friend PowerSeries operator-(PowerSeries a, const PowerSeries& b) { return a -= b; }
  friend PowerSeries operator-(const PowerSeries& a) { return PowerSeries() - a; }

  // Cauchy product. Zero coefficients are skipped: most series in a run are constants, and most products rational.
  friend PowerSeries operator*(const PowerSeries& a, const PowerSeries& b) {
    PowerSeries product;
    for (std::size_t i = 0; i <= K; ++i) {
      if (is_zero(a.c_[i])) continue;
      for (std::size_t j = 0; i + j <= K; ++j)
        if (!is_zero(b.c_[j])) product.c_[i + j] += a.c_[i] * b.c_[j];
    }
    return product;
  }
  // q b = a solved order by order; HypothesisError unless b has an invertible constant term.
  friend PowerSeries operator/(const PowerSeries& a, const PowerSeries& b) {
    if (is_zero(b.c_[0])) throw HypothesisError("PowerSeries division", "divisor", "an invertible constant term", "0");
    PowerSeries q;
    for (std::size_t k = 0; k <= K; ++k) {
      C rest = a.c_[k];
      for (std::size_t j = 1; j <= k; ++j)
        if (!is_zero(b.c_[j]) && !is_zero(q.c_[k - j])) rest -= b.c_[j] * q.c_[k - j];
      if (!is_zero(rest)) q.c_[k] = rest / b.c_[0];
    }
    return q;
  }

  friend bool operator==(const PowerSeries& a, const PowerSeries& b) { return is_zero(a - b); }
  friend bool is_zero(const PowerSeries& a) {
    return std::all_of(a.c_.begin(), a.c_.end(), [](const C& c) { return is_zero(c); });
  }
  friend bool precedes(const PowerSeries& a, const PowerSeries& b) { return precedes(a.c_[0], b.c_[0]); }
  friend double size_of(const PowerSeries& a) {
    double largest = 0;
    for (const C& c : a.c_) largest = std::max(largest, size_of(c));
    return largest;
  }

  // y = exp(x) from y' = x' y: k y_k = sum_{j=1..k} j x_j y_{k-j}. The constant term goes through exp_at of C, so with
  // rational coefficients it must be 0.
  friend PowerSeries exp_at(const PowerSeries& x) {
    PowerSeries y(exp_at(x.c_[0]));
    for (std::size_t k = 1; k <= K; ++k) {
      for (std::size_t j = 1; j <= k; ++j)
        if (!is_zero(x.c_[j])) y.c_[k] += C(static_cast<int>(j)) * x.c_[j] * y.c_[k - j];
      if (!is_zero(y.c_[k])) y.c_[k] = y.c_[k] / C(static_cast<int>(k));
    }
    return y;
  }
  // y = log(x) from x y' = x': y_k = (x_k - sum_{1<=j<k} (j/k) y_j x_{k-j}) / x_0. With rational coefficients x_0 must be 1.
  friend PowerSeries log_at(const PowerSeries& x) {
    PowerSeries y(log_at(x.c_[0]));
    for (std::size_t k = 1; k <= K; ++k) {
      C rest = C(static_cast<int>(k)) * x.c_[k];
      for (std::size_t j = 1; j < k; ++j) rest -= C(static_cast<int>(j)) * y.c_[j] * x.c_[k - j];
      y.c_[k] = rest / (C(static_cast<int>(k)) * x.c_[0]);
    }
    return y;
  }

 private:
  static std::size_t checked(int order) {
    if (order < 0 || order > K)
      throw HypothesisError("PowerSeries", "order", "0 .. " + std::to_string(K), std::to_string(order));
    return static_cast<std::size_t>(order);
  }
  std::array<C, K + 1> c_;
};

}  // namespace popgrad
