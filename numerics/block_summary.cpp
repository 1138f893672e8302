#include "numerics/block_summary.hpp"

#include <algorithm>
#include <functional>

#include "numerics/ideal_scalars.hpp"

namespace popgrad {
namespace {

// Entry (i, j) of one block.
template <class S>
using Entries = std::function<const S&(int, int)>;

template <class S>
void compare_with(BlockSummary<S>& block, const S& entry, const S& summary) {
  const S difference = entry - summary;
  if (size_of(difference) == 0) return;  // a running error of a zero difference is not a deviation
  block.invariant = false;
  block.deviation = std::max(block.deviation, size_of(difference));
}

template <class S>
void token_token(BlockSummary<S>& block, int N, const Entries<S>& at) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) (i == j ? block.diag : block.off) += at(i, j);
  block.diag = block.diag / S(N);
  block.off = block.off / S(N * (N - 1));
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) compare_with(block, at(i, j), i == j ? block.diag : block.off);
}

template <class S>
void token_position(BlockSummary<S>& block, int N, int T, const Entries<S>& at) {
  for (int t = 0; t < T; ++t) {
    S mean(0);
    for (int k = 0; k < N; ++k) mean += at(k, t);
    mean = mean / S(N);
    for (int k = 0; k < N; ++k) compare_with(block, at(k, t), mean);
    block.entries.push_back(mean);
  }
}

template <class S>
void position_position(BlockSummary<S>& block, int T, const Entries<S>& at) {
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < T; ++s) block.entries.push_back(at(t, s));
}

template <class S>
BlockSummary<S> summarize(const Coordinates& shape, const std::string& row, bool row_is_token, Block column,
                          const Entries<S>& at) {
  BlockSummary<S> block;
  block.name = row + "," + name(column);
  if (row_is_token && is_token(column)) {
    block.kind = BlockKind::token_token;
    token_token(block, shape.N, at);
  } else if (row_is_token || is_token(column)) {
    block.kind = BlockKind::token_position;
    const Entries<S> transposed = [&at](int k, int t) -> const S& { return at(t, k); };
    token_position(block, shape.N, shape.T, row_is_token ? at : transposed);
  } else {
    block.kind = BlockKind::position_position;
    position_position(block, shape.T, at);
  }
  return block;
}

void check(const Coordinates& at) {
  require(at.N >= 2, "summarize", "N", "at least 2: off needs two tokens", std::to_string(at.N));
}

}  // namespace

const char* name(BlockKind kind) {
  switch (kind) {
    case BlockKind::token_token:
      return "token-token";
    case BlockKind::token_position:
      return "token-position";
    case BlockKind::position_position:
      return "position-position";
  }
  return "";
}

template <class S>
std::vector<BlockSummary<S>> summarize_wo(const IdealMaps<S>& maps) {
  check(maps.at);
  std::vector<BlockSummary<S>> blocks;
  for (const Block column : all_blocks)
    blocks.push_back(summarize<S>(maps.at, "U", true, column,
                                  [&](int k, int j) -> const S& { return maps.u(k, maps.at.at(column, j)); }));
  return blocks;
}

template <class S>
std::vector<BlockSummary<S>> summarize_wk2(const IdealMaps<S>& maps) {
  check(maps.at);
  std::vector<BlockSummary<S>> blocks;
  for (const Block row : all_blocks)
    for (const Block column : all_blocks)
      blocks.push_back(summarize<S>(maps.at, name(row), is_token(row), column, [&](int i, int j) -> const S& {
        return maps.k2(maps.at.at(row, i), maps.at.at(column, j));
      }));
  return blocks;
}

template <class S>
std::vector<BlockSummary<S>> summarize_wk1(const IdealMaps<S>& maps) {
  check(maps.at);
  std::vector<BlockSummary<S>> blocks;
  for (const Block row : {Block::E, Block::P})
    for (const Block column : {Block::E, Block::P})
      blocks.push_back(summarize<S>(maps.at, name(row), is_token(row), column, [&](int i, int j) -> const S& {
        return maps.k1(maps.at.at(row, i), maps.at.at(column, j));
      }));
  return blocks;
}

#define POPGRAD_INSTANTIATE(S)                                                 \
  template std::vector<BlockSummary<S>> summarize_wo<S>(const IdealMaps<S>&);  \
  template std::vector<BlockSummary<S>> summarize_wk2<S>(const IdealMaps<S>&); \
  template std::vector<BlockSummary<S>> summarize_wk1<S>(const IdealMaps<S>&);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
