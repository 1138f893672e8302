#include "core/truncated_series.hpp"

#include <algorithm>
#include <string>

namespace popgrad {

TruncatedSeries::TruncatedSeries(int constant) {
  if (constant != 0) c_.emplace_back(constant);
}

TruncatedSeries::TruncatedSeries(const Rational& constant) {
  if (!constant.is_zero()) c_.push_back(constant);
}

TruncatedSeries TruncatedSeries::monomial(const Rational& coefficient, int order, int known) {
  if (order < 0 || order > known)
    throw HypothesisError("TruncatedSeries::monomial", "order", "0 .. " + std::to_string(known), std::to_string(order));
  TruncatedSeries x;
  x.known_ = known;
  x.c_.assign(static_cast<std::size_t>(order) + 1, Rational(0));
  x.c_.back() = coefficient;
  x.cut();
  return x;
}

Rational TruncatedSeries::operator[](int order) const {
  if (order < 0 || order > known_)
    throw HypothesisError("TruncatedSeries", "order", "0 .. " + std::to_string(known_), std::to_string(order));
  const auto k = static_cast<std::size_t>(order);
  return k < c_.size() ? c_[k] : Rational(0);
}

std::size_t TruncatedSeries::terms_up_to(int known) const {
  return known == everything ? c_.size() : std::min(c_.size(), static_cast<std::size_t>(known) + 1);
}

void TruncatedSeries::cut() {
  c_.resize(terms_up_to(known_));
  while (!c_.empty() && c_.back().is_zero()) c_.pop_back();
}

TruncatedSeries& TruncatedSeries::operator+=(const TruncatedSeries& b) {
  known_ = std::min(known_, b.known_);
  const std::size_t terms = b.terms_up_to(known_);
  if (c_.size() < terms) c_.resize(terms);
  for (std::size_t k = 0; k < terms; ++k) c_[k] += b.c_[k];
  cut();
  return *this;
}

TruncatedSeries& TruncatedSeries::operator-=(const TruncatedSeries& b) {
  known_ = std::min(known_, b.known_);
  const std::size_t terms = b.terms_up_to(known_);
  if (c_.size() < terms) c_.resize(terms);
  for (std::size_t k = 0; k < terms; ++k) c_[k] -= b.c_[k];
  cut();
  return *this;
}

void add_product(TruncatedSeries& sum, const TruncatedSeries& a, const TruncatedSeries& b) {
  sum.known_ = std::min({sum.known_, a.known_, b.known_});
  if (!a.c_.empty() && !b.c_.empty()) {
    std::size_t terms = a.c_.size() + b.c_.size() - 1;
    if (sum.known_ != TruncatedSeries::everything) terms = std::min(terms, static_cast<std::size_t>(sum.known_) + 1);
    if (sum.c_.size() < terms) sum.c_.resize(terms);
    for (std::size_t i = 0; i < a.c_.size(); ++i) {
      if (a.c_[i].is_zero()) continue;
      for (std::size_t j = 0; j < b.c_.size() && i + j < terms; ++j)
        if (!b.c_[j].is_zero()) sum.c_[i + j] += a.c_[i] * b.c_[j];
    }
  }
  sum.cut();
}

TruncatedSeries operator*(const TruncatedSeries& a, const TruncatedSeries& b) {
  TruncatedSeries product;
  add_product(product, a, b);
  return product;
}

TruncatedSeries operator/(const TruncatedSeries& a, const TruncatedSeries& b) {
  if (b.constant().is_zero())
    throw HypothesisError("TruncatedSeries division", "divisor", "an invertible constant term", "0");
  TruncatedSeries q;
  q.known_ = std::min(a.known_, b.known_);
  // By a number, a series divides coefficient by coefficient; otherwise the quotient does not end by itself.
  const std::size_t terms = b.c_.size() == 1 ? a.terms_up_to(q.known_) : static_cast<std::size_t>(q.known_) + 1;
  q.c_.resize(terms);
  for (std::size_t k = 0; k < terms; ++k) {
    Rational rest = k < a.c_.size() ? a.c_[k] : Rational(0);
    for (std::size_t j = 1; j <= k && j < b.c_.size(); ++j)
      if (!b.c_[j].is_zero() && !q.c_[k - j].is_zero()) rest -= b.c_[j] * q.c_[k - j];
    if (!rest.is_zero()) q.c_[k] = rest / b.c_[0];
  }
  q.cut();
  return q;
}

bool precedes(const TruncatedSeries& a, const TruncatedSeries& b) { return a.constant() < b.constant(); }

double size_of(const TruncatedSeries& a) {
  double largest = 0;
  for (const Rational& c : a.c_) largest = std::max(largest, size_of(c));
  return largest;
}

// y' = x' y: k y_k = sum_{j=1..k} j x_j y_{k-j}.
TruncatedSeries exp_at(const TruncatedSeries& x) {
  TruncatedSeries y(exp_at(x.constant()));
  y.known_ = x.known_;
  if (x.c_.empty()) return y;
  y.c_.resize(static_cast<std::size_t>(x.known_) + 1);
  for (std::size_t k = 1; k < y.c_.size(); ++k) {
    for (std::size_t j = 1; j <= k && j < x.c_.size(); ++j)
      if (!x.c_[j].is_zero() && !y.c_[k - j].is_zero())
        y.c_[k] += Rational(static_cast<long long>(j)) * x.c_[j] * y.c_[k - j];
    y.c_[k] /= Rational(static_cast<long long>(k));
  }
  y.cut();
  return y;
}

// x y' = x': y_k = x_k - sum_{1<=j<k} (j/k) y_j x_{k-j}, with x_0 = 1.
TruncatedSeries log_at(const TruncatedSeries& x) {
  TruncatedSeries y(log_at(x.constant()));
  y.known_ = x.known_;
  if (x.c_.size() < 2) return y;
  y.c_.resize(static_cast<std::size_t>(x.known_) + 1);
  for (std::size_t k = 1; k < y.c_.size(); ++k) {
    Rational rest = Rational(static_cast<long long>(k)) * x[static_cast<int>(k)];
    for (std::size_t j = 1; j < k; ++j) rest -= Rational(static_cast<long long>(j)) * y.c_[j] * x[static_cast<int>(k - j)];
    y.c_[k] = rest / Rational(static_cast<long long>(k));
  }
  y.cut();
  return y;
}

}  // namespace popgrad
