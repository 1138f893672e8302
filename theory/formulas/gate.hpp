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

// One entry of -grad W_K1, coefficient of eta1. query, key in {E, P}; 0-based indices in the block's range (positions
// 0..T-1). Zero above the causal diagonal. Throws HypothesisError unless N >= 2, T >= 4 and the indices are in range.
Rational gate_value_path(int N, int T, Background background, Block query, int query_index, Block key, int key_index);

}  // namespace popgrad
