// T3.onset: first Taylor coefficients in time of the population gradient flow d/dt theta = -dL/dtheta from zero, all maps together, in
// the ideal model. Hypotheses: minimal task of docs/theory.md, section 2, uniform labels, kappa = 1. Derivation: docs/theory.md, section
// 5, T3.onset.
#pragma once
#include "core/minimal_task.hpp"
#include "core/rational.hpp"

namespace popgrad {

// Contrasts (diag - off) of the first step of W_O, for either query: (U,E) 1/(NT) and (U,R) h_T/(NT), or their means over the lengths.
// They are the coefficients of t.
Rational onset_ue(const MinimalTask& task);
Rational onset_ur(const MinimalTask& task);

// P(z_r = z_s) in a sequence of `length` tokens; 1-based positions.
Rational equal_tokens(int N, Background background, int length, int r, int s);

// E of the first logit of the token at position s (1-based) per unit of the step, in sequences of `length` tokens:
//   X_s = (1/length) sum_i (e + r w_i) P(z_i = z_s),   w_i = H(length) - H(i-1),
// for the contrasts e of (U,E) and r of (U,R).
Rational first_logit(int N, Background background, int length, const Rational& e, const Rational& r, int s);

// Full blocks: coefficient of t^3 in the memory signal of row t (1-based, 4 <= t <= T-1) of (P,P), the first that is not zero:
//   (1/3) (r/(N T t)) (mean_{2<=j<=t-2} X_j - X_{t-1}),
// X_s the first logit above, e and r the contrasts above. With background any it is (N-1) h_T^2/(3 N^4 T^4 t) mean_j (H(t-2) - H(j-1)) > 0. query = any: the mean over
// lengths T' >= t, divided by all T - 3 lengths. HypothesisError unless labels are uniform and 4 <= t <= T-1.
Rational onset_signal(const MinimalTask& task, int t);

}  // namespace popgrad
