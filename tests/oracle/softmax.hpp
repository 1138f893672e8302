// Softmax and cross-entropy as they are defined, for any of the oracle's scalars.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/oracle/scalars.hpp"

namespace popgrad::oracle {

// The largest value, without its derivative: subtracting a constant changes neither softmax nor its derivative.
template <class S>
double largest_value(const std::vector<S>& scores) {
  double largest = value_of(scores.front());
  for (const S& score : scores) largest = std::max(largest, value_of(score));
  return largest;
}

// p_i = exp(s_i) / sum_j exp(s_j); at least one score.
template <class S>
std::vector<S> softmax(const std::vector<S>& scores) {
  using std::exp;
  const double shift = largest_value(scores);
  std::vector<S> powers;
  S total(0.0);
  for (const S& score : scores) {
    powers.push_back(exp(score - S(shift)));
    total += powers.back();
  }
  for (S& power : powers) power = power / total;
  return powers;
}

// -log p_label.
template <class S>
S cross_entropy(const std::vector<S>& logits, int label) {
  using std::exp;
  using std::log;
  const double shift = largest_value(logits);
  S total(0.0);
  for (const S& logit : logits) total += exp(logit - S(shift));
  return log(total) - (logits[static_cast<std::size_t>(label)] - S(shift));
}

}  // namespace popgrad::oracle
