// L1: L(W) = E l(y, W_U W w_E(z)) with softmax cross-entropy has +grad L(W) = sum_z sum_k c_kz w_U(k) w_E(z)^T.
// Derivation: docs/theory.md, section 4.
#pragma once
#include "theory/formulas/formula.hpp"

namespace popgrad {

// c_kz = p_z (phat_kz - p_kz). Symbols p_z = p(z), phat_kz = phat_W(k|z), p_kz = p(k|z).
Formula lemma1_coefficient();

}  // namespace popgrad
