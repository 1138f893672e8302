// L2: L(W) = E l(y, W_U W x). Every formula is one coordinate of the vector that multiplies w_U(k): +grad L = sum_k w_U(k)
// v_k^T. Filter hypotheses: x = s(y) + n, n independent of y. Derivation: docs/theory.md, section 4.
#pragma once
#include "theory/formulas/formula.hpp"

namespace popgrad {

// Identity, any W and any joint law with p_k = p(y = k) > 0: v_k = p_k (muhat_k - mu_k). Symbols p_k; one coordinate of
// muhat_k = E[phat_W(k|x) x]/p_k and of mu_k = E[x | y = k].
Formula lemma2_identity();

// Filter, W = 0 and uniform labels: v_k = -(1/N)(s_k - sbar). Symbols N; a coordinate of s_k = s(k) and of the mean sbar.
Formula lemma2_filter();

// W = 0, any labels: v_k = sbar/N - p_k s_k + (1/N - p_k) nbar, sbar = E s(y), nbar = E n. The last term is the noise that
// stays. Symbols N, p_k; coordinates of s_k, sbar, nbar.
Formula lemma2_labels();
Formula lemma2_labels_residue();  // (1/N - p_k) nbar

// Uniform labels, W = epsilon V, to first order in epsilon: the noise adds to v_k, in one coordinate i,
//   (epsilon/N)(m_k - mbar),  m_k = E[x_i w_U(k)^T V x] - E[s_i w_U(k)^T V s],  mbar its mean over k,
// since phat_k = 1/N + (epsilon/N)(xi_k - xibar) + O(epsilon^2) with xi_k = w_U(k)^T V x. Symbols N, epsilon, m_k, mbar.
Formula lemma2_weight_residue();

// E||G_B - G||_F^2 = (secondmoment - normsquared)/B for a mean over B i.i.d. samples. Symbols B, normsquared = ||G||_F^2,
// secondmoment = E[||sum_k (phat_k - 1{y=k}) w_U(k)||^2 ||x||^2]. Exact for every W and every law with these moments.
Formula lemma2_variance();

// The same in the orthonormal one-step example (x = w_E(y) + p_t, W = 0, y uniform): secondmoment = 2(1 - 1/N), normsquared
// = (N-1)/N^2. Symbols N, B.
Formula lemma2_variance_onestep();
Formula lemma2_norm2_onestep();  // (N-1)/N^2

}  // namespace popgrad
