// The scalars of the numeric templates (double, Rational, PowerSeries, RunningError) and the few functions that depend on
// how a scalar behaves: sparse products, softmax, log-mean-exp.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/running_error.hpp"
#include "core/scalar.hpp"
#include "core/series.hpp"

namespace popgrad {

// An integer as a scalar; HypothesisError if double would round it.
template <class S>
S from_integer(std::int64_t n) {
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  if (n < -limit || n > limit) throw HypothesisError("from_integer", "n", "|n| <= 2^53", std::to_string(n));
  if constexpr (std::is_same_v<S, Rational>) {
    return Rational(static_cast<long long>(n));
  } else if constexpr (requires { typename S::Coefficient; }) {
    return S(from_integer<typename S::Coefficient>(n));
  } else {
    return S(static_cast<double>(n));
  }
}

// sum += a b. Exact zeros are skipped: runs in rationals start at zero parameters, where most factors are zero, and a GMP
// product costs ten times the test. (So 0 x NaN counts as 0; parameters are finite.)
template <class S>
void add_product(S& sum, const S& a, const S& b) {
  if (is_zero(a) || is_zero(b)) return;
  sum += a * b;
}

// Index of the largest value (by constant term for a series), the first among equals. Not empty.
template <class S>
std::size_t index_of_largest(const std::vector<S>& values) {
  if (values.empty()) throw HypothesisError("index_of_largest", "values", "at least one", "none");
  std::size_t largest = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (precedes(values[largest], values[i])) largest = i;
  return largest;
}

// exp(s_i - max s) / sum. Subtracting the largest keeps doubles finite at any score; it also leaves rational scores, and the
// constant terms of rational series, all zero when they are equal, the only case that has a rational softmax.
template <class S>
std::vector<S> softmax(std::vector<S> scores) {
  const S top = scores[index_of_largest(scores)];
  S sum(0);
  for (S& s : scores) {
    s = exp_at(s - top);
    sum += s;
  }
  for (S& s : scores) s = s / sum;
  return scores;
}

// log((1/n) sum_k exp(x_k)): log-sum-exp without the irrational log n, so that rationals at equal x have it too. Same
// derivatives. A cross-entropy built on it is the loss minus that of the uniform guess.
template <class S>
S log_mean_exp(const std::vector<S>& x) {
  const S top = x[index_of_largest(x)];
  S sum(0);
  for (const S& value : x) sum += exp_at(value - top);
  return top + log_at(sum / from_integer<S>(static_cast<std::int64_t>(x.size())));
}

}  // namespace popgrad
