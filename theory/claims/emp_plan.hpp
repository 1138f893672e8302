// What verify says before the empirical claims train.
#pragma once
#include <string>
#include <vector>

#include "theory/claims/claim.hpp"

namespace popgrad {

// What the empirical claims among `chosen` are about to do: runs, sequences, seconds judged by a few updates, level and what the
// tests can find. Empty if there is none among them.
std::string emp_plan(const std::vector<Claim>& chosen, const ClaimContext& context);

}  // namespace popgrad
