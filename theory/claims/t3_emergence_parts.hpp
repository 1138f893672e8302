// The parts of the claim T3.emergence; internal to theory/claims.
#pragma once
#include <string>
#include <vector>

#include "numerics/emergence.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

inline constexpr const char* emergence_id = "T3.emergence";

// A number that a computed error surrounds, against a bound: measured 1 if it is above for certain, 0 if it is below for certain, else 1/2 with a
// budget of 1, which decides nothing. `claimed`: what the statement says. The name shows the number.
Entry above(const std::string& what, double x, double error, double bound, bool claimed);

// How the emergence time grows along a line of sizes: T at the N of `task`, or N at its T.
Row emergence_growth_T(const MinimalTask& task, const std::vector<int>& lengths);
Row emergence_growth_N(const MinimalTask& task, const std::vector<int>& vocabularies);
// What leaving a path of W_K1's gradient out, or W_K1 itself, does to the time.
Row emergence_paths(const MinimalTask& task);
// The head that keys over a uniform first attention can build: its accuracy.
Row uniform_head(const std::vector<MinimalTask>& tasks);

}  // namespace popgrad
