// Numbers for the figures of Theorem 3 that claims carry. Internal to theory/claims.
#pragma once
#include "theory/claims/claim.hpp"

namespace popgrad {

// Margins of the closed forms at N, T <= largest, query = last. step2_margin: diag - off of (E,R) in units of alpha/(N T^2) (ideal) or eta1/(N^2
// T^3) (actual), in which it is of order one and isolated is ideal. step3_margin: the smallest margin of a row of (P,P), in units of alpha beta/(t T
// (T-2)).
Series step2_margin_map(const std::vector<Background>& backgrounds, int largest);
Series step3_margin_map(const std::vector<Background>& backgrounds, int largest);

// Panel `stage` of the figure gradient_blocks: the leading order of an ideal hand-off.
Series gradient_picture(const MinimalTask& task, int stage);

// The rows that carry a panel: those of one size, background and query, the same for each stage.
bool carries_picture(const ClaimContext& context, const MinimalTask& task);

}  // namespace popgrad
