// T3.gate, the value path: -grad of W_K1 at W_K1 = W_K2 = 0 when W_O = eta1 times the actual first step (step1.hpp), to
// first order in eta1: what stays of the gate because the R block of W_O lets layer 1 be read without any key of layer 2.
// All are coefficients of eta1. With the ideal W_O* the R block is zero and so are all of these.
//
// With c = h_T/(N T) the diagonal slope of (U,R) and uniform attention, the gradient is
//   E[(c/T) sum_t (1/t) sum_{s<=t} x_t (x_s - mean_{s'<=t} x_s')^T (1{z_s = o} - 1/N)],
// so (P_t, P_s) = (c/(T t)) (pi_s - mean_{s'<=t} pi_s'), pi_s = P(z_s = o) - 1/N = (N-1)/(N (T-2)) for 2 <= s <= T-1, else
// 0. Hypotheses: minimal task, query = last, uniform labels, kappa = 1, full blocks in W_O. Only (E,E) depends on the
// background. Derivation: docs/theory.md, section 5, T3.gate.
#pragma once
#include "core/minimal_task.hpp"
#include "core/residual_blocks.hpp"
#include "theory/formulas/formula.hpp"

namespace popgrad {

// (P_t, P_s) for rows 1 <= t <= T-1. Symbols N, T, t. Row 3 is proportional to (-2, 1, 1): no preference for t - 1.
Formula gate_pp_first();  // s = 1
Formula gate_pp_later();  // 2 <= s <= t

// (P_T, P_s): the boundary row. Symbols N, T.
Formula gate_pp_boundary_end();    // s = 1 and s = T
Formula gate_pp_boundary_inner();  // 2 <= s <= T-1

// (E_i, P_s), the same for every token i. Symbols N, T, s.
Formula gate_ep_first();  // s = 1
Formula gate_ep_inner();  // 2 <= s <= T-1
Formula gate_ep_last();   // s = T

// (P_t, E_j): zero, since it is the same for every j and adds up to zero over j.
Formula gate_pe();

// (E_i, E_j): diagonal; off = -diag/(N-1). Symbols N, T.
Formula gate_ee_diag(Background background);
Formula gate_ee_off(Background background);

// C: with W_O2 = W_K1 = 0 and Gaussian N(0, 1/d) embeddings and frozen maps, E||dL/dW_K1||_F^2 = C/d + O(1/d^2). Symbols N, T.
// To leading order p_hat = 1/N, embeddings are orthonormal, and the gradient
//   (1/T) E[x_T sum_s (r_s - mean r) x_s^T],  r_s = sum_k (1/N - 1{o=k}) (c_{k,z_s} + c_{k,p_s}),
// is linear in the cross-talk c_kv = w_U(k)^T W_O1 W_V1 v, whose entries are uncorrelated with variance 1/d; C is the squared
// norm of that map. Hypotheses: minimal task, query = last, uniform labels, kappa = 1. Derivation: docs/theory.md, section 5,
// T3.gate (d).
Formula gate_decay_constant(Background background);
// Its part from c_{k,p_s} alone: what remapped positions contribute.
Formula gate_decay_constant_positions();

// One entry of -grad W_K1, coefficient of eta1. query, key in {E, P}; 0-based indices in the block's range (positions
// 0..T-1). Zero above the causal diagonal. Throws HypothesisError unless N >= 2, T >= 4 and the indices are in range.
Rational gate_value_path(int N, int T, Background background, Block query, int query_index, Block key, int key_index);

// The same for query = any, lengths T' = 4..T equally likely, of which a sequence sees its own first T' positions: the first step is
// the mean of those of the lengths, so with c_T' = h_T'/(N T') the entry is the mean over T' of that of length T' times
// mean(c)/c_T'.
Rational gate_value_path_any_length(int N, int T, Background background, Block query, int query_index, Block key, int key_index);
// That of the task's query.
Rational gate_value_path_of(const MinimalTask& task, Block query, int query_index, Block key, int key_index);

}  // namespace popgrad
