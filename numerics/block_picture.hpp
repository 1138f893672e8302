// A gradient as a matrix of numbers to be drawn: its blocks written out, for a few tokens.
#pragma once
#include <string>
#include <vector>

#include "core/rational.hpp"
#include "numerics/block_summary.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// Tokens that are written out: a token block has two numbers, diag and off, however many tokens there are.
inline constexpr int picture_tokens = 8;

// Panel (from 1); block (0 U, 1 E, 2 P, 3 R, 4 S) and index (from 1) of the row, which is the output or query, and of the column, the key; the
// entry; and the number of tokens that there are.
std::vector<std::string> picture_columns();

// One row of picture_columns() an entry of the map whose blocks these are, row by row, min(N, picture_tokens) tokens.
std::vector<std::vector<double>> picture_points(int panel, const std::vector<BlockSummary<double>>& blocks, int N, int T);

// The blocks of map 1 (W_O), 2 (W_K2) or 3 (W_K1), in the order of summarize_wo, summarize_wk2, summarize_wk1.
std::vector<BlockSummary<double>> block_summaries(const InvariantMaps<Rational>& maps, int map);

}  // namespace popgrad
