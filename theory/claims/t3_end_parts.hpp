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

// The same with all blocks: below after three steps, at every step size of a grid; and not so when only (E,R) of W_K2 is kept.
Row end_full(const MinimalTask& task, const ClaimContext& context);

// Options of a construction at this task: sums over orbits up to T = 9, else samples times context.work.
ConstructionOptions end_options(const ClaimContext& context, std::int64_t samples, std::int64_t gradient_samples);

// Halfway from chance to the head's formula (avoid), or to that of the best possible answer (any).
double end_level(const MinimalTask& task);

// 1 if the accuracy is above `level`, 0 if below; undecided (a budget of 1) if it is within the sampling error at the family-wise
// level, `comparisons` in the row.
Entry above_level(const std::string& name, bool expected, const Answer& measured, double level, double family_level, int comparisons);

}  // namespace popgrad
