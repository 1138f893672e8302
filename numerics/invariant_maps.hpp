// Parameters (or descent directions) of the ideal model that do not change when tokens are relabelled: the space in which the whole
// population trajectory from zero lives. Its dimension does not depend on N.
#pragma once
#include <array>
#include <vector>

#include "core/residual_blocks.hpp"
#include "numerics/ideal_model.hpp"

namespace popgrad {

// One block of a map. Token-token: diag I + off (J - I). Token-position, either order: one entry a position, T of them.
// Position-position: T x T entries, row-major, query first.
template <class S>
struct InvariantBlock {
  S diag = S(0), off = S(0);
  std::vector<S> entries;
  S contrast() const { return diag - off; }  // the memory signal of a token-token block
};

template <class S>
struct InvariantMaps {
  int N = 0, T = 0;
  std::array<InvariantBlock<S>, 4> wo;    // (U, block)
  std::array<InvariantBlock<S>, 16> wk2;  // (query block, key block)
  std::array<InvariantBlock<S>, 4> wk1;   // of E and P only

  InvariantMaps() = default;
  InvariantMaps(int N, int T);  // all zero; HypothesisError unless N >= 2 and T >= 1
  InvariantBlock<S>& u(Block block) { return wo[static_cast<std::size_t>(block)]; }
  const InvariantBlock<S>& u(Block block) const { return wo[static_cast<std::size_t>(block)]; }
  InvariantBlock<S>& k2(Block query, Block key) { return wk2[static_cast<std::size_t>(query) * 4 + static_cast<std::size_t>(key)]; }
  const InvariantBlock<S>& k2(Block query, Block key) const {
    return wk2[static_cast<std::size_t>(query) * 4 + static_cast<std::size_t>(key)];
  }
  // HypothesisError for R and S, which W_K1 does not see.
  InvariantBlock<S>& k1(Block query, Block key) { return wk1[first_layer(query, key)]; }
  const InvariantBlock<S>& k1(Block query, Block key) const { return wk1[first_layer(query, key)]; }
  // this += step * other; HypothesisError unless N and T agree.
  InvariantMaps& add(const S& step, const InvariantMaps& other);
  InvariantMaps& operator+=(const InvariantMaps& other) { return add(S(1), other); }

 private:
  static std::size_t first_layer(Block query, Block key);
};

// The targets W_O*, W_K2*, W_K1* in this form.
template <class S>
InvariantMaps<S> invariant_memories(int N, int T);

// All entries written out: N x 2(N+T) numbers and more, for comparison with the enumeration.
template <class S>
IdealMaps<S> expand(const InvariantMaps<S>& maps);

}  // namespace popgrad
