// The parts of claim T3.step2; internal to theory/claims.
#pragma once
#include <vector>

#include "theory/claims/claim.hpp"
#include "theory/claims/handed_on.hpp"

namespace popgrad {

// The closed forms of (E,R) against sums over orbits.
Row step2_memory(const MinimalTask& task);
// off = -diag/(N-1) of (E,R) behind the actual full hand-off, entry by entry: each order 1..3 in eta1, exactly, and at full softmax,
// eta1 = N T, by enumeration.
Row step2_rows_exact(const MinimalTask& task);
Row step2_rows_enumerated(const MinimalTask& task);
// Full softmax at the sizes of certified_sizes: the sign of the memory for each hand-off, proved, against that of leading order.
Row step2_certified(const MinimalTask& task);
// Where diag <= 0 among N, T <= largest, by an engine that knows no closed form: one row for each background and hand-off.
std::vector<Row> step2_regions(const ClaimContext& context, Query query, int largest);

}  // namespace popgrad
