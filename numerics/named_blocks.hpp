// The blocks of one map by name, in the order in which they are shown.
#pragma once
#include <string>

#include "core/errors.hpp"
#include "numerics/block_summary.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

inline BlockKind kind_of(bool token_row, bool token_column) {
  return token_row && token_column   ? BlockKind::token_token
         : token_row || token_column ? BlockKind::token_position
                                     : BlockKind::position_position;
}

// each(name, kind, block) for the blocks of W_O (map 1: "U,E" ..), W_K2 (2: "E,E" .., query first) or W_K1 (3); HypothesisError
// for another map.
template <class S, class Each>
void for_each_block(const InvariantMaps<S>& maps, int map, const Each& each) {
  require(map >= 1 && map <= 3, "for_each_block", "map", "1 (W_O), 2 (W_K2) or 3 (W_K1)", std::to_string(map));
  const auto one = [&](const std::string& row, bool token_row, Block key, const InvariantBlock<S>& block) {
    each(row + "," + name(key), kind_of(token_row, is_token(key)), block);
  };
  if (map == 1)
    for (const Block key : all_blocks) one("U", true, key, maps.u(key));
  if (map == 2)
    for (const Block query : all_blocks)
      for (const Block key : all_blocks) one(name(query), is_token(query), key, maps.k2(query, key));
  if (map == 3)
    for (const Block query : {Block::E, Block::P})
      for (const Block key : {Block::E, Block::P}) one(name(query), is_token(query), key, maps.k1(query, key));
}

}  // namespace popgrad
