// What the pass over a sequence reads: products of parameters, formed once a step, in float. Rows are transposed vectors.
#pragma once
#include "numerics/kernels/float_matrix.hpp"

namespace popgrad::kernels {

// Rows 0 .. N - 1 of a table of tokens and positions belong to tokens, rows position_row(N) + t to positions.
constexpr int position_row(int N) { return padded(N); }

struct PassTables {
  int N = 0, T = 0, d = 0;
  FloatMatrix residual;         // w_E(k), p_t
  FloatMatrix remapped;         // W_O1 W_V1 w_E(k), W_O1 W_V1 p_t
  FloatMatrix scores1;          // kappa x^T W_K1 y for x, y among tokens and positions
  FloatMatrix wk2, wk2_back;    // kappa W_K2 and its transpose, d x d
  FloatMatrix out, out_back;    // (W_U (I + W_F))^T, d x N; W_U (I + W_F), N x d
  FloatMatrix read, read_back;  // (W_U (I + W_F) W_O2 W_V2)^T, d x N; its transpose, N x d
};

// Sums over the sequences of a block, in the coordinates in which a sequence is cheap; numerics/fast_gradient turns them into
// gradients of maps. dscores1 has the shape of scores1: d(loss)/d(kappa x^T W_K1 y) summed over the pairs attended.
struct PassSums {
  bool need_wk1 = true, need_wk2 = true, need_wo2 = true, need_wf = true;  // what the gradients of these maps need
  FloatMatrix dscores1;
  FloatMatrix dwk2;      // d x d: sum_i q_i (sum_s dscore2_is x1_s)^T, without kappa
  FloatMatrix dout;      // N x d: sum_i dlogits_i q_i^T; for W_F
  FloatMatrix dread;     // N x d: sum_i dlogits_i v_i^T, v_i = sum_s a2_is x1_s; for W_O2 and W_F
  double loss = 0;
  void clear();
};

}  // namespace popgrad::kernels
