// The finite model's numbers compared with the oracle's, entry by entry.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/numerics/oracle_instances.hpp"
#include "tests/oracle/autodiff.hpp"

namespace popgrad::against_oracle {

struct Difference {
  std::size_t outside = 0;  // entries beyond the bound (or not finite)
  double worst = 0;         // largest |difference| / bound
  double widest = 0;        // widest bound
  double largest = 0;       // largest |expected|
};

inline Difference compare(const std::vector<oracle::Derivative>& expected, const std::vector<double>& found, double K) {
  REQUIRE(expected.size() == found.size());
  Difference result;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double bound = oracle::agreement(expected[i], K), difference = std::abs(found[i] - expected[i].value);
    if (!(difference <= bound)) ++result.outside;
    result.worst = bound > 0 ? std::max(result.worst, difference / bound) : result.worst;
    result.widest = std::max(result.widest, bound);
    result.largest = std::max(result.largest, std::abs(expected[i].value));
  }
  return result;
}

inline auto loss_of(const oracle::FiniteParameters<double>& base, const Example& example) {
  return [base, tokens = example.tokens, targets = pairs(example.targets)](const auto& theta) {
    return oracle::finite_loss(oracle::with_trained_entries(base, theta), tokens, targets);
  };
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

}  // namespace popgrad::against_oracle
