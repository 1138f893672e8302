#include "numerics/block_picture.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "numerics/named_blocks.hpp"

namespace popgrad {
namespace {

const std::string letters = "UEPRS";

struct Axis {
  std::vector<char> blocks;  // in the order of the coordinates
  void add(char block) {
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
  }
};

bool of_tokens(char block) { return block != 'P' && block != 'S'; }

double entry(const BlockSummary<double>& block, int row, int column, int T) {
  const auto at = [&](int i) { return block.entries[static_cast<std::size_t>(i)]; };
  if (block.kind == BlockKind::token_token) return row == column ? block.diag : block.off;
  if (block.kind == BlockKind::position_position) return at(row * T + column);
  return at(of_tokens(block.name[0]) ? column : row);
}

}  // namespace

std::vector<std::string> picture_columns() {
  return {"panel", "row block (0 U, 1 E, 2 P, 3 R, 4 S)", "row index", "column block", "column index", "entry", "N"};
}

std::vector<std::vector<double>> picture_points(int panel, const std::vector<BlockSummary<double>>& blocks, int N, int T) {
  Axis rows, columns;
  for (const BlockSummary<double>& block : blocks) {
    rows.add(block.name.at(0));
    columns.add(block.name.at(2));
  }
  const auto count = [&](char block) { return of_tokens(block) ? std::min(N, picture_tokens) : T; };
  std::vector<std::vector<double>> points;
  for (const char row : rows.blocks)
    for (int i = 0; i < count(row); ++i)
      for (const char column : columns.blocks) {
        const std::string name{row, ',', column};
        const BlockSummary<double>& block = find_block(blocks, name);
        for (int j = 0; j < count(column); ++j)
          points.push_back({static_cast<double>(panel), static_cast<double>(letters.find(row)), i + 1.0, static_cast<double>(letters.find(column)),
                            j + 1.0, entry(block, i, j, T), static_cast<double>(N)});
      }
  return points;
}

std::vector<BlockSummary<double>> block_summaries(const InvariantMaps<Rational>& maps, int map) {
  std::vector<BlockSummary<double>> list;
  for_each_block(maps, map, [&](const std::string& name, BlockKind kind, const InvariantBlock<Rational>& from) {
    BlockSummary<double>& block = list.emplace_back();
    block.name = name;
    block.kind = kind;
    block.diag = to_double(from.diag);
    block.off = to_double(from.off);
    for (const Rational& x : from.entries) block.entries.push_back(to_double(x));
  });
  return list;
}

}  // namespace popgrad
