// The parts of claim T3.step3; internal to theory/claims.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "core/rational.hpp"
#include "numerics/invariant_maps.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

// 0-based (t, s) -> -dL/dW_K1 at (P_t, P_s).
using PositionPairs = std::function<Rational(int t, int s)>;
// One exact entry "(P3,P2)" a pair, rows 2..T.
std::vector<Entry> position_entries(const InvariantMaps<Rational>& measured, const PositionPairs& predicted);

// The coefficient of alpha beta, or of eta1^2 eta2 with isolated blocks, against its closed form.
Row step3_memory(const MinimalTask& task, bool actual);
// The actual full hand-off, one row a monomial: eta1 and eta1^2, the value path, against closed forms; eta1^2 eta2 by two engines.
std::vector<Row> step3_monomials(const MinimalTask& task);
// At every size row 2 of the coefficient of eta1^2 eta2 prefers P_2 to P_1: found by search, so a statement about this grid.
Row step3_full_region(Background background, int largest_N, int largest_T);
// Full softmax at given sizes: which memories and rows are proved to form, and which not, against what leading order says.
Row step3_certified(const MinimalTask& task);

// Where some row 2..T-1 does not recall t-1 among N, T <= largest, by an engine that knows no closed form: a row a background.
std::vector<Row> step3_regions(const ClaimContext& context, Query query, int largest);

}  // namespace popgrad
