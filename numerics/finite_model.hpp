// The finite-d model of docs/theory.md: parameters, forward pass, hand-written backward pass.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "core/example.hpp"

namespace popgrad {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

enum class Map { wk1, wk2, wo2, wf };
const char* name(Map map);

// What need not be trained. Row k of tok is w_E(k)^T, row t of pos is p_t^T, row k of out is w_U(k)^T. The
// three maps never are, the embeddings only where a run learns them.
struct FrozenMaps {
  Matrix tok;            // N x d
  Matrix pos;            // T x d
  Matrix out;            // N x d
  Matrix wv1, wo1, wv2;  // d x d
};

struct TrainedMaps {
  Matrix wk1, wk2, wo2, wf;  // d x d each; wf unused (zero) without the feed-forward layer
  Matrix& at(Map map);
  const Matrix& at(Map map) const;
  static TrainedMaps zero(int d);
  TrainedMaps& operator+=(const TrainedMaps& other);
};

struct FiniteModel {
  FrozenMaps frozen;
  TrainedMaps trained;
  double score_scale = 1;     // kappa
  bool feed_forward = false;  // x3 = x2 + W_F x2

  int N() const { return static_cast<int>(frozen.tok.rows()); }
  int T() const { return static_cast<int>(frozen.pos.rows()); }
  int d() const { return static_cast<int>(frozen.tok.cols()); }
  void validate() const;       // HypothesisError unless all shapes fit
  Matrix remapped_tokens() const;     // N x d, row k = w_1(k)^T = (W_O1 W_V1 w_E(k))^T
  Matrix remapped_positions() const;  // T x d, row t = (W_O1 W_V1 p_t)^T
};

// Everything the forward pass computed, for the backward pass and for probes. L = number of tokens, n = number of targets.
struct FiniteTrace {
  Matrix x;           // L x d, x_t
  Matrix attention1;  // L x L, zero above the diagonal
  Matrix x1;          // L x d
  Matrix attention2;  // n x L, row i is the second-layer attention of target i's position (zero after it)
  Matrix value2;      // n x d, sum_s a2_s x1_s for each target
  Matrix x2;          // n x d
  Matrix x3;          // n x d; x2 without the feed-forward layer
  Matrix logits;      // n x N
  Matrix probabilities;  // n x N
  double loss = 0;       // sum over targets of -log p(target)
};

// Forward pass at the targets of `example`. HypothesisError on tokens or positions out of range.
FiniteTrace forward(const FiniteModel& model, const Example& example);

// Gradients with respect to the embedding tables, shaped like them; a table that is not wanted is 0 x 0.
struct EmbeddingGradient {
  Matrix tok, pos, out;
  EmbeddingGradient& operator+=(const EmbeddingGradient& other);  // of the same tables
};

// Adds d(sum of losses)/d(map) of this example to `gradient` (ascent direction) and returns the trace's loss. With
// `embeddings` also d(sum of losses)/d(table), through every path: a token and a position embedding are read from the residual
// stream, by queries and keys of both layers, and as values (frozen maps included); an output embedding by its logit alone.
double add_gradient(const FiniteModel& model, const Example& example, TrainedMaps& gradient,
                    EmbeddingGradient* embeddings = nullptr);

}  // namespace popgrad
