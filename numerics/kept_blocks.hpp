// Which blocks of the trained maps a construction keeps: between the memory blocks alone (isolated) and all of them (full),
// and one less or one more for ablations.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/residual_blocks.hpp"
#include "core/stages.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// One block of the map of a stage; of W_O (stage 1) all rows are outputs, so `query` does not count.
struct MapBlock {
  int stage = 1;
  Block query = Block::E, key = Block::E;
  bool operator==(const MapBlock& other) const {
    return stage == other.stage && key == other.key && (stage == 1 || query == other.query);
  }
};
std::string name(const MapBlock& block);  // "W_K2 (E,R)"

MapBlock memory_block(int stage);  // (U,E), (E,R), (P,P); HypothesisError unless 1..3

// The blocks that act on what a head sees and get a gradient (numerics/orbit_gradient.hpp): 2 of W_O, 12 of W_K2, 3 of W_K1.
// Those with a position query and a token key are the same for all keys, (U,P) and (U,S) for all outputs.
const std::vector<MapBlock>& acting_blocks();

class KeptBlocks {
 public:
  explicit KeptBlocks(Blocks blocks);  // isolated: the three memory blocks
  KeptBlocks with(const MapBlock& block) const { return changed(block, true); }
  KeptBlocks without(const MapBlock& block) const { return changed(block, false); }
  bool has(const MapBlock& block) const { return kept_[index(block)]; }
  // `maps` with every other block zero.
  template <class S>
  InvariantMaps<S> of(const InvariantMaps<S>& maps) const {
    InvariantMaps<S> result(maps.N, maps.T);
    for (std::size_t i = 0; i < 4; ++i)
      if (kept_[i]) result.wo[i] = maps.wo[i];
    for (std::size_t i = 0; i < 16; ++i)
      if (kept_[4 + i]) result.wk2[i] = maps.wk2[i];
    for (std::size_t i = 0; i < 4; ++i)
      if (kept_[20 + i]) result.wk1[i] = maps.wk1[i];
    return result;
  }

 private:
  static std::size_t index(const MapBlock& block);
  KeptBlocks changed(const MapBlock& block, bool keep) const;
  std::array<bool, 24> kept_{};  // W_O: 4; W_K2: 16; W_K1: 4
};

}  // namespace popgrad
