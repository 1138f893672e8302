#include "core/function_sign.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace popgrad {
namespace {

int sign_of(const Rational& x) { return x.is_zero() ? 0 : x > 0 ? 1 : -1; }

// Q(N + shift), by repeated synthetic division.
std::vector<Rational> shifted(std::vector<Rational> q, int shift) {
  for (std::size_t done = 0; done + 1 < q.size(); ++done)
    for (std::size_t k = q.size() - 1; k-- > done;) q[k] += shift * q[k + 1];
  return q;
}

// All coefficients of one sign (or zero): no root at positive arguments, and with a constant term none at 0 either.
bool settled(const std::vector<Rational>& q) {
  return !q.front().is_zero() &&
         std::all_of(q.begin(), q.end(), [&](const Rational& x) { return x.is_zero() || sign_of(x) == sign_of(q.front()); });
}

}  // namespace

int Signs::at(int N) const {
  const auto k = static_cast<std::size_t>(N - 2);
  return k < before.size() ? before[k] : sign;
}

Signs signs_of(const RationalFunction& function) {
  Signs signs;
  if (is_zero(function)) return signs;
  const std::vector<Rational>& q = function.polynomial();
  constexpr int far = 1 << 20;
  int from = 2;
  while (from <= far && !settled(shifted(q, from))) from += from < 64 ? 1 : from / 2;
  require(from <= far, "signs_of", "function", "without roots and sign changes far out", to_string(function));
  signs.sign = sign_of(function.at(Rational(from)));
  for (int N = 2; N < from; ++N) signs.before.push_back(sign_of(function.at(Rational(N))));
  while (!signs.before.empty() && signs.before.back() == signs.sign) signs.before.pop_back();
  return signs;
}

Signs least(const std::vector<Signs>& all) {
  require(!all.empty(), "least", "all", "at least one", "none");
  std::size_t from = 0;
  Signs result;
  result.sign = 1;
  for (const Signs& signs : all) {
    from = std::max(from, signs.before.size());
    result.sign = std::min(result.sign, signs.sign);
  }
  for (int N = 2; N < 2 + static_cast<int>(from); ++N) {
    int lowest = 1;
    for (const Signs& signs : all) lowest = std::min(lowest, signs.at(N));
    result.before.push_back(lowest);
  }
  while (!result.before.empty() && result.before.back() == result.sign) result.before.pop_back();
  return result;
}

std::string where(const Signs& signs, int sign) {
  const int from = 2 + static_cast<int>(signs.before.size());
  if (signs.before.empty()) return signs.sign == sign ? "every N >= 2" : "no N";
  std::string text;
  for (int N = 2; N < from; ++N) {
    if (signs.at(N) != sign) continue;
    int last = N;
    while (last + 1 < from && signs.at(last + 1) == sign) ++last;
    text += (text.empty() ? "N = " : ", ") + std::to_string(N) + (last > N ? ".." + std::to_string(last) : "");
    N = last;
  }
  if (signs.sign == sign) text += (text.empty() ? "N >= " : " and N >= ") + std::to_string(from);
  return text.empty() ? "no N" : text;
}

}  // namespace popgrad
