// The finite-d model read off its definition (docs/theory.md, section 1), in plain loops.
#pragma once
#include <utility>
#include <vector>

namespace popgrad::oracle {

// All matrices row-major. Row k of tok is w_E(k)^T, row t of pos is p_t^T, row k of out is w_U(k)^T.
template <class S>
struct FiniteParameters {
  int N = 0, T = 0, d = 0;
  std::vector<S> tok, pos, out;      // N x d, T x d, N x d
  std::vector<S> wv1, wo1, wv2;      // d x d
  std::vector<S> wk1, wk2, wo2, wf;  // d x d; wf is read only with the feed-forward layer
  double kappa = 1;
  bool feed_forward = false;
};

// One row for each position of the sequence. attention rows have t + 1 entries, the keys s <= t.
template <class S>
struct FiniteForward {
  std::vector<std::vector<S>> attention1, attention2;
  std::vector<std::vector<S>> logits;  // L x N
};

// Scalars: double, Dual, BoundedDual. tokens: 1..T of them, each in 0..N-1 (std::invalid_argument otherwise).
template <class S>
FiniteForward<S> finite_forward(const FiniteParameters<S>& p, const std::vector<int>& tokens);

// Sum over (position, token) pairs of -log softmax(logits at position)_token.
template <class S>
S finite_loss(const FiniteParameters<S>& p, const std::vector<int>& tokens, const std::vector<std::pair<int, int>>& targets);

// The trained maps in one vector, wk1 | wk2 | wo2 | wf, each d x d row-major; and back, around the frozen maps of `base`.
std::vector<double> trained_entries(const FiniteParameters<double>& p);
template <class S>
FiniteParameters<S> with_trained_entries(const FiniteParameters<double>& base, const std::vector<S>& entries);

// The same with the embeddings, tok | pos | out, in place of the trained maps.
std::vector<double> embedding_entries(const FiniteParameters<double>& p);
template <class S>
FiniteParameters<S> with_embedding_entries(const FiniteParameters<double>& base, const std::vector<S>& entries);

}  // namespace popgrad::oracle
