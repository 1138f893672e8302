// Recall and size of invariant maps.
#pragma once
#include "numerics/invariant_maps.hpp"
#include "numerics/probes.hpp"

namespace popgrad {

// Recall of the diagonal of a token-token block, (U,E) for W_O2 and (E,R) for W_K2: all N rows have the margin diag - off. Entries are known up
// to `roundoff`: those that differ by no more than twice as much tie.
Probe token_recall(const InvariantBlock<double>& block, int N, double roundoff = 0);

// Recall of t - 1 in row t of a position-position block of width T, as recall_wk1 counts it.
Probe position_recall(const InvariantBlock<double>& block, int T, int positions, bool causal, double roundoff = 0);

// Frobenius norm of the map of a stage (1: W_O, 2: W_K2, 3: W_K1), all its entries written out.
double frobenius(const InvariantMaps<double>& maps, int stage);

// max |entry| over all maps; NaN if one is.
double largest_entry(const InvariantMaps<double>& maps);

}  // namespace popgrad
