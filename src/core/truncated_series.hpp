// Power series of rationals in one step size, truncated at an order chosen at run time. (core/series.hpp has the order in
// the type.)
#pragma once
#include <limits>
#include <type_traits>
#include <vector>

#include "core/scalar.hpp"

namespace popgrad {

// c_0 + c_1 h + ... + c_n h^n with O(h^{n+1}) dropped, n = known(). A number is known to every order and holds one
// coefficient, so that a run in which most quantities are constants costs little more than one in rationals; a result is
// known as far as both operands are. Trailing zeros are not kept. All operations are exact on what is known.
class TruncatedSeries {
 public:
  using Coefficient = Rational;
  static constexpr int everything = std::numeric_limits<int>::max();  // known() of a number

  TruncatedSeries() = default;                // 0
  TruncatedSeries(int constant);              // NOLINT: a number is a constant series
  TruncatedSeries(const Rational& constant);  // NOLINT
  // Without this a double would become an int on its way to a rational.
  template <class Real>
  requires(std::is_floating_point_v<Real>) TruncatedSeries(Real constant)
  = delete;  // NOLINT
  // coefficient * h^order + O(h^{known+1}); HypothesisError unless 0 <= order <= known.
  static TruncatedSeries monomial(const Rational& coefficient, int order, int known);

  int known() const { return known_; }
  // c_order; HypothesisError unless 0 <= order <= known().
  Rational operator[](int order) const;

  TruncatedSeries& operator+=(const TruncatedSeries& b);
  TruncatedSeries& operator-=(const TruncatedSeries& b);
  friend TruncatedSeries operator+(TruncatedSeries a, const TruncatedSeries& b) { return a += b; }
  friend TruncatedSeries operator-(TruncatedSeries a, const TruncatedSeries& b) { return a -= b; }
  friend TruncatedSeries operator-(const TruncatedSeries& a) { return TruncatedSeries() - a; }
  friend TruncatedSeries operator*(const TruncatedSeries& a, const TruncatedSeries& b);
  // HypothesisError unless b has an invertible constant term.
  friend TruncatedSeries operator/(const TruncatedSeries& a, const TruncatedSeries& b);
  // sum += a b without the product in between.
  friend void add_product(TruncatedSeries& sum, const TruncatedSeries& a, const TruncatedSeries& b);

  friend bool is_zero(const TruncatedSeries& a) { return a.c_.empty(); }  // as far as known
  friend bool operator==(const TruncatedSeries& a, const TruncatedSeries& b) { return is_zero(a - b); }
  friend bool precedes(const TruncatedSeries& a, const TruncatedSeries& b);  // by the constant terms
  friend double size_of(const TruncatedSeries& a);
  friend TruncatedSeries exp_at(const TruncatedSeries& x);  // HypothesisError unless the constant term is 0
  friend TruncatedSeries log_at(const TruncatedSeries& x);  // HypothesisError unless the constant term is 1

 private:
  void cut();                                // drops what is not known, and trailing zeros
  std::size_t terms_up_to(int known) const;  // how many kept coefficients have an order <= known
  Rational constant() const { return c_.empty() ? Rational(0) : c_[0]; }

  std::vector<Rational> c_;
  int known_ = everything;
};

}  // namespace popgrad
