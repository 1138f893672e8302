// The parts of claim T3.step3; internal to theory/claims.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "numerics/invariant_maps.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

// 0-based (t, s) -> -dL/dW_K1 at (P_t, P_s).
using PositionPairs = std::function<Rational(int t, int s)>;
// One exact entry "(P3,P2)" a pair, rows 2..T.
std::vector<Entry> position_entries(const InvariantMaps<Rational>& measured, const PositionPairs& predicted);

// The coefficient of alpha beta, or of eta1^2 eta2 with isolated blocks, against its closed form.
Row step3_memory(const MinimalTask& task, bool actual);
// Where some row 2..T-1 does not recall t-1 among N, T <= largest, by an engine that knows no closed form: a row a background.
std::vector<Row> step3_regions(const ClaimContext& context, Query query, int largest);

}  // namespace popgrad
