// T3.step1: the first population step of W_O from zero, -grad L at W_O = 0, in the ideal model.
// Hypotheses: minimal task of docs/theory.md, section 2, either background; kappa = 1, W_K1 = W_K2 = 0 (uniform
// attention). Derivation: docs/theory.md, section 5.
#pragma once
#include "theory/formulas/formula.hpp"
#include "theory/formulas/harmonic.hpp"

namespace popgrad {

// h_T = (T - H(T-1) - 2/T)/(T-2) = sum_{s=2}^{T-1} 1/(T-2) sum_{t=s}^T 1/t: how often, on average, layer 1 hands the output
// token on. Symbol T.
Formula step1_h(HarmonicEnd end = HarmonicEnd::right);

// Uniform labels, query = last. Symbols N, T.
Formula step1_ue_diag();   // (1/(N T)) (1 - 1/N)
Formula step1_ue_off();    // -1/(N^2 T)
Formula step1_ur_diag();   // (h_T/(N T)) (1 - 1/N)
Formula step1_ur_off();    // -h_T/(N^2 T)
Formula step1_position();  // (U,P) = (U,S) = 0

// Labels with P(o = k) = p_k, query = last. Symbols N, T, p_k, and p_j, delta_kj (1 if k = j, else 0) or the position s
// in 1..T.
Formula step1_ue_labels();  // [(p_k delta - p_j/N) + (p_k - 1/N)(T - 1)/N]/T
Formula step1_ur_labels();  // [h_T (p_k delta - p_j/N) + (p_k - 1/N)(T - h_T)/N]/T
Formula step1_up_labels();  // (p_k - 1/N)/T at every position
Formula step1_us_labels();  // (p_k - 1/N)(H(T) - H(s-1))/T

// query = any: the mean of `last` over T' ~ U{4..T}, where `last` is any of the above. first > 4 drops the lengths below it
// (a position exists only in sequences at least as long: first = max(4, t)); the divisor stays T - 3. Needs T >= 4, first
// >= 4.
Rational step1_any(const Formula& last, int T, const Bindings& others, int first = 4);

}  // namespace popgrad
