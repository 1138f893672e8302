#include "core/rational_function.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using Polynomial = std::vector<Rational>;  // the constant term first

Rational value_at(const Polynomial& p, const Rational& x) {
  Rational value(0);
  for (std::size_t k = p.size(); k-- > 0;) value = value * x + p[k];
  return value;
}

Polynomial times(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial product(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  return product;
}

// p / (N - 1), which must divide it.
Polynomial without_root_one(const Polynomial& p) {
  Polynomial quotient(p.size() - 1);
  Rational carry(0);
  for (std::size_t k = quotient.size(); k-- > 0;) {
    carry += p[k + 1];
    quotient[k] = carry;
  }
  return quotient;
}

// The rational c with p/c primitive and its leading coefficient positive.
Rational content(const Polynomial& p) {
  using Integer = boost::multiprecision::mpz_int;
  Integer common(0), multiple(1);
  for (const Rational& x : p) {
    multiple = lcm(multiple, Integer(denominator(x)));
    common = gcd(common, Integer(numerator(x)));
  }
  const Rational c = Rational(common) / Rational(multiple);
  return p.back() < 0 ? Rational(-c) : c;
}

std::string power_text(const std::string& base, int exponent) {
  return exponent == 1 ? base : base + "^" + std::to_string(exponent);
}

std::string polynomial_text(const Polynomial& p) {
  std::string text;
  for (std::size_t k = p.size(); k-- > 0;) {
    if (p[k].is_zero()) continue;
    const Rational size = p[k] < 0 ? Rational(-p[k]) : p[k];
    text += p[k] < 0 ? "-" : text.empty() ? "" : "+";
    if (k == 0 || size != 1) text += to_string(size) + (k > 0 ? "*" : "");
    if (k > 0) text += power_text("N", static_cast<int>(k));
  }
  return text;
}

std::string joined(const std::vector<std::string>& factors) {
  std::string text;
  for (const std::string& factor : factors) text += (text.empty() ? "" : "*") + factor;
  return text;
}

}  // namespace

RationalFunction::RationalFunction(int constant) : RationalFunction(Rational(constant)) {}
RationalFunction::RationalFunction(const Rational& constant) : RationalFunction(Polynomial{constant}, 0, 0) {}

RationalFunction::RationalFunction(const std::vector<Rational>& numerator, int at_zero, int at_one) {
  Polynomial p = numerator;
  while (!p.empty() && p.back().is_zero()) p.pop_back();
  if (p.empty()) return;
  power_ = -at_zero;
  shifted_ = -at_one;
  const auto lowest = std::find_if(p.begin(), p.end(), [](const Rational& x) { return !x.is_zero(); });
  power_ += static_cast<int>(lowest - p.begin());
  p.erase(p.begin(), lowest);
  while (p.size() > 1 && value_at(p, Rational(1)).is_zero()) {
    p = without_root_one(p);
    ++shifted_;
  }
  factor_ = content(p);
  for (Rational& x : p) x /= factor_;
  polynomial_ = std::move(p);
}

Rational RationalFunction::at(const Rational& N) const {
  if (factor_.is_zero()) return Rational(0);
  const auto power = [&](const Rational& base, int exponent) {
    require(exponent >= 0 || !base.is_zero(), "RationalFunction::at", "N", "no pole", to_string(N));
    Rational value(1);
    for (int k = 0; k < std::abs(exponent); ++k) value *= base;
    return exponent < 0 ? Rational(Rational(1) / value) : value;
  };
  return factor_ * power(N, power_) * power(N - 1, shifted_) * value_at(polynomial_, N);
}

int RationalFunction::degree() const {
  return polynomial_.empty() ? 0 : power_ + shifted_ + static_cast<int>(polynomial_.size()) - 1;
}

std::vector<Rational> RationalFunction::over(int power, int shifted) const {
  Polynomial p = polynomial_;
  for (Rational& x : p) x *= factor_;
  if (p.empty()) return p;
  p.insert(p.begin(), static_cast<std::size_t>(power_ - power), Rational(0));
  for (int k = shifted; k < shifted_; ++k) p = times(p, {Rational(-1), Rational(1)});
  return p;
}

RationalFunction& RationalFunction::operator+=(const RationalFunction& b) {
  if (is_zero(b)) return *this;
  if (is_zero(*this)) return *this = b;
  const int power = std::min(power_, b.power_), shifted = std::min(shifted_, b.shifted_);
  Polynomial sum = over(power, shifted);
  const Polynomial other = b.over(power, shifted);
  sum.resize(std::max(sum.size(), other.size()));
  for (std::size_t k = 0; k < other.size(); ++k) sum[k] += other[k];
  return *this = RationalFunction(sum, -power, -shifted);
}

RationalFunction operator-(const RationalFunction& a) {
  RationalFunction result = a;
  result.factor_ = -result.factor_;
  return result;
}

RationalFunction operator*(const RationalFunction& a, const RationalFunction& b) {
  Polynomial product = times(a.polynomial_, b.polynomial_);
  for (Rational& x : product) x *= a.factor_ * b.factor_;
  return RationalFunction(product, -(a.power_ + b.power_), -(a.shifted_ + b.shifted_));
}

std::string to_string(const RationalFunction& a) {
  if (is_zero(a)) return "0";
  const Rational size = a.factor_ < 0 ? Rational(-a.factor_) : a.factor_;
  std::vector<std::string> above, below;
  const auto place = [&](const std::string& base, int exponent) {
    if (exponent > 0) above.push_back(power_text(base, exponent));
    if (exponent < 0) below.push_back(power_text(base, -exponent));
  };
  if (numerator(size) != 1) above.push_back(numerator(size).str());
  if (denominator(size) != 1) below.push_back(denominator(size).str());
  place("N", a.power_);
  place("(N-1)", a.shifted_);
  if (a.polynomial_.size() > 1) above.push_back("(" + polynomial_text(a.polynomial_) + ")");
  std::string text = a.factor_ < 0 ? "-" : "";
  text += above.empty() ? "1" : joined(above);
  if (below.empty()) return text;
  return text + "/" + (below.size() > 1 ? "(" + joined(below) + ")" : below.front());
}

}  // namespace popgrad
