#include "numerics/invariant_maps.hpp"

#include <string>

#include "core/errors.hpp"
#include "core/rational_function.hpp"
#include "numerics/ideal_scalars.hpp"

namespace popgrad {
namespace {

template <class S>
void size_block(InvariantBlock<S>& block, bool token_row, bool token_column, int T) {
  const auto t = static_cast<std::size_t>(T);
  if (token_row && token_column) return;
  block.entries.assign(token_row || token_column ? t : t * t, S(0));
}

template <class S>
void add_block(InvariantBlock<S>& sum, const S& step, const InvariantBlock<S>& other) {
  add_product(sum.diag, step, other.diag);
  add_product(sum.off, step, other.off);
  for (std::size_t i = 0; i < sum.entries.size(); ++i) add_product(sum.entries[i], step, other.entries[i]);
}

// Entry (i, j) of a block, i and j counted inside it.
template <class S>
const S& entry_of(const InvariantBlock<S>& block, bool token_row, bool token_column, int T, int i, int j) {
  if (token_row && token_column) return i == j ? block.diag : block.off;
  if (token_row) return block.entries[static_cast<std::size_t>(j)];
  if (token_column) return block.entries[static_cast<std::size_t>(i)];
  return block.entries[static_cast<std::size_t>(i * T + j)];
}

}  // namespace

template <class S>
InvariantMaps<S>::InvariantMaps(int n, int t) : N(n), T(t) {
  require(N >= 2, "InvariantMaps", "N", "at least 2", std::to_string(N));
  require(T >= 1, "InvariantMaps", "T", "at least 1", std::to_string(T));
  for (const Block key : all_blocks) {
    size_block(u(key), true, is_token(key), T);
    for (const Block query : all_blocks) size_block(k2(query, key), is_token(query), is_token(key), T);
  }
  for (const Block query : {Block::E, Block::P})
    for (const Block key : {Block::E, Block::P}) size_block(k1(query, key), is_token(query), is_token(key), T);
}

template <class S>
std::size_t InvariantMaps<S>::first_layer(Block query, Block key) {
  for (const Block block : {query, key})
    if (block != Block::E && block != Block::P) throw HypothesisError("InvariantMaps::k1", "block", "E or P", name(block));
  return static_cast<std::size_t>(query) * 2 + static_cast<std::size_t>(key);
}

template <class S>
InvariantMaps<S>& InvariantMaps<S>::add(const S& step, const InvariantMaps& other) {
  require(N == other.N && T == other.T, "InvariantMaps::add", "other", "the same N and T",
          std::to_string(other.N) + ", " + std::to_string(other.T));
  for (std::size_t i = 0; i < wo.size(); ++i) add_block(wo[i], step, other.wo[i]);
  for (std::size_t i = 0; i < wk2.size(); ++i) add_block(wk2[i], step, other.wk2[i]);
  for (std::size_t i = 0; i < wk1.size(); ++i) add_block(wk1[i], step, other.wk1[i]);
  return *this;
}

template <class S>
InvariantMaps<S> invariant_memories(int N, int T) {
  InvariantMaps<S> maps(N, T);
  maps.u(Block::E).diag = S(1);
  maps.k2(Block::E, Block::R).diag = S(1);
  for (int t = 1; t < T; ++t) maps.k1(Block::P, Block::P).entries[static_cast<std::size_t>(t * T + t - 1)] = S(1);
  return maps;
}

template <class S>
IdealMaps<S> expand(const InvariantMaps<S>& maps) {
  IdealMaps<S> all(maps.N, maps.T);
  const Coordinates at = all.at;
  for (const Block key : all_blocks) {
    const bool token_key = is_token(key);
    for (int j = 0; j < at.count(key); ++j) {
      for (int k = 0; k < maps.N; ++k) all.u(k, at.at(key, j)) = entry_of(maps.u(key), true, token_key, maps.T, k, j);
      for (const Block query : all_blocks)
        for (int i = 0; i < at.count(query); ++i) {
          all.k2(at.at(query, i), at.at(key, j)) = entry_of(maps.k2(query, key), is_token(query), token_key, maps.T, i, j);
          if ((query == Block::E || query == Block::P) && (key == Block::E || key == Block::P))
            all.k1(at.at(query, i), at.at(key, j)) = entry_of(maps.k1(query, key), is_token(query), token_key, maps.T, i, j);
        }
    }
  }
  return all;
}

#define POPGRAD_INSTANTIATE(S)                                \
  template struct InvariantMaps<S>;                           \
  template InvariantMaps<S> invariant_memories<S>(int, int);  \
  template IdealMaps<S> expand<S>(const InvariantMaps<S>&);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE
template struct InvariantMaps<RationalFunction>;
template struct InvariantMaps<RunningErrorSeries9>;

}  // namespace popgrad
