// A gradient of the ideal model block by block: diag and off, one number a position, or a T x T matrix.
#pragma once
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "numerics/ideal_model.hpp"

namespace popgrad {

enum class BlockKind { token_token, token_position, position_position };
const char* name(BlockKind kind);  // "token-token", "token-position", "position-position"

// Relabelling tokens leaves the minimal task (uniform outputs) invariant, so its population gradients are too: a token-token
// block is diag I + off (J - I) and a block between tokens and positions does not depend on the token. The numbers here are
// the means over each orbit, that is the orthogonal projection on the invariant blocks; `deviation` says how far the block
// is from it.
template <class S>
struct BlockSummary {
  std::string name;  // "U,E": output or query block first
  BlockKind kind = BlockKind::token_token;
  S diag = S(0), off = S(0);  // token-token
  std::vector<S>
      entries;  // token-position (either order): T, one a position. position-position: T x T, row-major, query first
  bool invariant = true;  // every entry equals its summary exactly; false for doubles that differ by rounding
  double deviation = 0;   // max |entry - summary| (over coefficients too, for a series); exactly 0 if invariant
};

// W_O: "U,E" "U,P" "U,R" "U,S". W_K2: the sixteen pairs of E, P, R, S. W_K1: "E,E" "E,P" "P,E" "P,P". Needs N >= 2.
// Compiled for the scalars of numerics/ideal_scalars.hpp.
template <class S>
std::vector<BlockSummary<S>> summarize_wo(const IdealMaps<S>& maps);
template <class S>
std::vector<BlockSummary<S>> summarize_wk2(const IdealMaps<S>& maps);
template <class S>
std::vector<BlockSummary<S>> summarize_wk1(const IdealMaps<S>& maps);

// The block called `name`; HypothesisError if there is none.
template <class S>
const BlockSummary<S>& find_block(const std::vector<BlockSummary<S>>& blocks, const std::string& name) {
  for (const BlockSummary<S>& block : blocks)
    if (block.name == name) return block;
  throw HypothesisError("find_block", "name", "the name of a block of this map", name);
}

}  // namespace popgrad
