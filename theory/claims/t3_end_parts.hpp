// The rows of T3.end. Internal to theory/claims.
#pragma once
#include "numerics/construction.hpp"
#include "theory/claims/claim.hpp"
#include "theory/formulas/end.hpp"

namespace popgrad {

// The hand-built head W_O = a W_O*, W_K2 = b W_K2*, W_K1 = c W_K1* with b and c so large that the limit has been reached, against
// the closed form: share of wrong answers. Exact up to T = 9, sampled beyond.
Row end_perfect_head(const MinimalTask& task, SharperLayer layer, const ClaimContext& context);

// Background any: accuracy of the best possible answer against its formula.
Row end_best_possible(const MinimalTask& task, const ClaimContext& context);

// Three actual steps with isolated blocks: below halfway from chance to the perfect head (any: to the best possible answer) after one
// and after two of them, above after three.
Row end_isolated(const MinimalTask& task, const ClaimContext& context);

// With all blocks: after three steps below end_full_share of the best that isolated blocks reach, at every step size of the same grid; and
// not so when only (E,R) of the second step is kept. A statement about the grid: where sampled, the best of the isolated blocks is the
// largest of estimates and carries their errors.
Row end_full(const MinimalTask& task, const ClaimContext& context);

// Found, not derived: with a finer grid than the claim's the largest share is 0.65, 0.60, 0.60, 0.58, 0.49 at (16,7), (8,7), (6,8), (16,8),
// (32,7), background avoid. At T = 6 and the claim's grid it reaches 0.9.
inline constexpr double end_full_share = 0.75;

// Options of a construction at this task: sums over orbits up to T = 9, else samples times context.work.
ConstructionOptions end_options(const ClaimContext& context, std::int64_t samples, std::int64_t gradient_samples);

// Halfway from chance to the head's formula (avoid), or to that of the best possible answer (any).
double end_level(const MinimalTask& task);

// 1 if the accuracy is above `level`, 0 if below; undecided (a budget of 1) if it is within its sampling error at the family-wise
// level, or its roundoff, `comparisons` in the row.
Entry above_level(const std::string& name, bool expected, const Answer& measured, double level, double family_level, int comparisons);

}  // namespace popgrad
