// The parts of claim T3.gate; internal to theory/claims.
#pragma once
#include <vector>

#include "theory/claims/claim.hpp"

namespace popgrad {

// (a) W_O = 0, arbitrary W_K1 and W_K2: no gradient in either.
Row gate_without_output(const ClaimContext& context, const MinimalTask& task);             // Taylor coefficients, exact
Row gate_without_output_enumerated(const ClaimContext& context, const MinimalTask& task);  // large random keys, doubles
// (b) W_K2 = 0, W_O = alpha W_O*: no gradient in W_K1.
Row gate_ideal_handoff(const ClaimContext& context, const MinimalTask& task);
// The same with the (U,E) block of the actual first step in place of W_O*.
Row gate_isolated_handoff(const ClaimContext& context, const MinimalTask& task);
// (c) W_K2 = 0, W_O = eta1 times the full first step: the value path, with its closed form.
Row gate_value_path(const ClaimContext& context, const MinimalTask& task);
// (d) finite d, W_O2 = 0: no gradient in W_K2; a gradient in W_K1 that decays as d^(-1/2).
std::vector<Row> gate_finite(const ClaimContext& context);

}  // namespace popgrad
