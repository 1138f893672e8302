// The parts of the claims T3.onset.*; internal to theory/claims.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

// Taylor coefficients against closed forms, exact.
Row onset_isolated_exact(const MinimalTask& task);
Row onset_full_exact(const MinimalTask& task);
// Parts of the gradient left out: which of them the t^3 signal of (P,P) needs, and which not.
Row onset_signal_gone(const MinimalTask& task, const std::string& without, const std::string& part);
Row onset_signal_stays(const MinimalTask& task);
// Gradient descent in small steps, in doubles, against the exact coefficients: exponents and constants from fits.
Row onset_flow(const std::string& claim, const MinimalTask& task, Blocks blocks);

// What the exact rows are computed at: (3,5) any and (4,6) avoid, or what the user fixed.
std::vector<MinimalTask> onset_tasks(const ClaimContext& context);

// The row that refuses a length whose orbits are too many for series of rationals; nothing if it is short enough.
std::optional<Row> onset_too_long(const std::string& claim, const std::string& part, const MinimalTask& task);

}  // namespace popgrad
