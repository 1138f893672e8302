// Forward and backward pass of one sequence in float.
#pragma once
#include <vector>

#include "core/example.hpp"
#include "numerics/kernels/pass_tables.hpp"

namespace popgrad::kernels {

// Buffers of one thread, for sequences of up to T tokens. L = tokens up to the last target, n = targets. What depends on frozen
// parameters alone is read from tables: layer-1 scores are sums of four entries (token-token, token-position, position-token,
// position-position). Layer-2 queries, values and logits exist at the targets only, and every product stops at the causal
// diagonal.
class SequencePass {
 public:
  explicit SequencePass(const PassTables& tables);

  // Targets in any order; in ascending order of position products stop earliest. Loss in nats, summed over targets; 0 without
  // targets.
  double forward(const Example& example);
  const FloatMatrix& logits() const { return logits_; }  // n x N, of the last forward pass
  // |W_U (I + W_F)| |q| + |W_U (I + W_F) W_O2 W_V2| |v|, n x N: gamma_2d times it bounds the roundoff of the last product.
  void logit_magnitudes(FloatMatrix& magnitudes) const;
  const FloatMatrix& attention1() const { return attention1_; }  // L x L
  const FloatMatrix& attention2() const { return attention2_; }  // n x L

  // Adds to `sums` the derivatives of the last forward pass, which `forward` overwrites.
  void backward(PassSums& sums);

 private:
  int last_position(int first, int count) const;  // of targets first .. first + count - 1
  void attend_first(int first);
  void backward_first(int first, PassSums& sums);

  const PassTables& tables_;
  const Example* example_ = nullptr;
  int L_ = 0, n_ = 0;
  std::vector<int> token_;                // of L, padded with token 0
  FloatMatrix remapped_, remapped_across_;      // r_s = W_O1 W_V1 x_s: L x d and d x L
  FloatMatrix attention1_;                      // L x L
  FloatMatrix x1_, x1_across_;                  // L x d and d x L
  FloatMatrix queries_, keyed_;                 // q_i and kappa W_K2^T q_i, n x d
  FloatMatrix attention2_, values_;             // n x L; v_i, n x d
  FloatMatrix logits_, dlogits_;                // n x N; dlogits_ holds probabilities first
  FloatMatrix dvalues_, dscores2_, dkeys_, dqueries_;
  FloatMatrix dx1_;                             // L x d
  FloatMatrix tile_, by_token_, by_token_across_;  // 16 x L, 16 x N, N x 16
};

}  // namespace popgrad::kernels
