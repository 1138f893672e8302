// L2.onestep at finite d: moments of the logits after one population step from W = 0, over the embeddings.
// Setting: w_E(k), p_t, w_U(k) in R^d with independent N(0, 1/d) entries; W_1 = (eta/N) sum_i w_U(i)(w_E(i) - mean)^T. In
// units of eta/N, for the input y = w_E(k) + p_t:
//   L_j = sum_i A_ji B_i,  A_ji = <w_U(j), w_U(i)>,  B_i = <w_E(i) - mean, y>,
// with A independent of B. E A_ji = delta_ji and, for j != l, E[A_ji A_lm] is 1 at (i,m) = (j,l), 1/d at (l,j), else 0,
// hence
//   E L_j = E B_j,  E L_j^2 = (1 + 2/d) E B_j^2 + (1/d) sum_{i != j} E B_i^2,  E L_j L_l = (1 + 1/d) E B_j B_l.
// B is a centred vector a_i = <w_E(i), y> of uncorrelated entries with means delta_ik and variances 3/d (i = k), 2/d (i !=
// k). Gaussian only through these fourth moments; exact for N >= 2, d >= 1. Derivation: docs/theory.md, section 4,
// L2.onestep.
#pragma once
#include "theory/formulas/formula.hpp"

namespace popgrad {

// Symbols N, d.
Formula onestep_mean_right();  // 1 - 1/N
Formula onestep_mean_wrong();  // -1/N
Formula onestep_variance_right();
Formula onestep_variance_wrong();  // j != k
Formula onestep_covariance_right_wrong();
Formula onestep_covariance_wrong_wrong();  // two different wrong logits; N >= 3

// Variance of a wrong logit to leading order, (3 d + 2 N)/d^2; exact/leading tends to 1 - 1/N + 2/(3 N^2) as d -> infinity.
Formula onestep_variance_leading();

// d = infinity: w_U(j)^T W_1 (w_E(k) + p_t) = (eta/N)(delta_jk - 1/N). Symbols N, eta, delta_jk.
Formula onestep_logit_ideal();

}  // namespace popgrad
