// At which integers N >= 2 a rational function is positive, for all of them at once.
#pragma once
#include <string>
#include <vector>

#include "core/rational_function.hpp"

namespace popgrad {

// The sign (-1, 0, 1) at every N >= 2: `before`[k] at N = 2 + k, and `sign` at every N from 2 + before.size() on.
struct Signs {
  std::vector<int> before;
  int sign = 0;
  int at(int N) const;  // N >= 2
};

// A proof for all N: the polynomial Q(N + n) has no sign change among its coefficients, so by Descartes' rule Q has no root
// above n; the N up to n are evaluated. HypothesisError if no n up to 2^20 will do.
Signs signs_of(const RationalFunction& function);
// At each N the least of the signs: positive where all are.
Signs least(const std::vector<Signs>& all);

// "N >= 6", "every N >= 2", "N = 2..5", "N = 2..4, 6", "no N": where the sign is `sign`.
std::string where(const Signs& signs, int sign);

}  // namespace popgrad
