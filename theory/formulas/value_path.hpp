// T3.step3 with the actual full hand-off: what comes before the key path, in the step eta1 of W_O alone. First order in eta1 is
// gate.hpp. Hypotheses: minimal task, uniform labels, kappa = 1, W_K1 = W_K2 = 0, W_O = eta1 times all of the first step.
// Derivation: docs/theory.md, section 5, T3.step3.
#pragma once
#include "core/minimal_task.hpp"
#include "core/rational.hpp"
#include "theory/formulas/harmonic.hpp"

namespace popgrad {

// -dL/dW_K1 at (P_t, P_s), coefficient of eta1; 0-based; either query. gate_value_path and gate_value_path_any_length at (P,P),
// with h_T from `end`, for negative controls.
Rational value_path_first(const MinimalTask& task, int query_index, int key_index, HarmonicEnd end = HarmonicEnd::right);

// The same, coefficient of eta1^2: the value path with p_hat at first order. With e and r the contrasts of (U,E) and (U,R) in the
// first step and X_s the first logit of the token at s (onset.hpp),
//   (P_t, P_s) = (r/(N T t)) (mean_{j<=t} X_j - X_s),   s <= t,
// zero above the diagonal; query = any: the mean over lengths T' >= t, divided by all T - 3 lengths, e and r means. What has been
// read more, an early key, is damped more. InputError if the task is bad, HypothesisError if labels are not uniform or an index
// is out of 0..T-1.
Rational value_path_second(const MinimalTask& task, int query_index, int key_index, HarmonicEnd end = HarmonicEnd::right);

}  // namespace popgrad
