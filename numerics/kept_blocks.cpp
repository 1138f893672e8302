#include "numerics/kept_blocks.hpp"

#include "core/errors.hpp"

namespace popgrad {

std::string name(const MapBlock& block) {
  const char* maps[] = {"W_O", "W_K2", "W_K1"};
  require(block.stage >= 1 && block.stage <= stages, "name", "stage", "1, 2 or 3", std::to_string(block.stage));
  return std::string(maps[block.stage - 1]) + " (" + (block.stage == 1 ? "U" : name(block.query)) + "," + name(block.key) +
         ")";
}

MapBlock memory_block(int stage) {
  require(stage >= 1 && stage <= stages, "memory_block", "stage", "1, 2 or 3", std::to_string(stage));
  if (stage == 1) return {1, Block::E, Block::E};
  return stage == 2 ? MapBlock{2, Block::E, Block::R} : MapBlock{3, Block::P, Block::P};
}

const std::vector<MapBlock>& acting_blocks() {
  static const std::vector<MapBlock> blocks = [] {
    std::vector<MapBlock> list = {{1, Block::E, Block::E}, {1, Block::E, Block::R}};
    for (const Block query : all_blocks)
      for (const Block key : all_blocks)
        if (is_token(query) || !is_token(key)) list.push_back({2, query, key});
    list.push_back({3, Block::E, Block::E});
    list.push_back({3, Block::E, Block::P});
    list.push_back({3, Block::P, Block::P});
    return list;
  }();
  return blocks;
}

KeptBlocks::KeptBlocks(Blocks blocks) {
  kept_.fill(blocks == Blocks::full);
  for (int stage = 1; stage <= stages; ++stage) kept_[index(memory_block(stage))] = true;
}

std::size_t KeptBlocks::index(const MapBlock& block) {
  const auto query = static_cast<std::size_t>(block.query), key = static_cast<std::size_t>(block.key);
  if (block.stage == 1) return key;
  if (block.stage == 2) return 4 + 4 * query + key;
  require(block.stage == 3 && query < 2 && key < 2, "KeptBlocks", "block", "a block of W_O, W_K2 or W_K1", name(block));
  return 20 + 2 * query + key;
}

KeptBlocks KeptBlocks::changed(const MapBlock& block, bool keep) const {
  KeptBlocks result = *this;
  result.kept_[index(block)] = keep;
  return result;
}

}  // namespace popgrad
