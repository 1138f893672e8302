// T3.step2: the step of W_K2 at W_K2 = W_K1 = 0, -dL/dW_K2, block (E,R), to first order in W_O, in the ideal model.
// Hypotheses: minimal task of docs/theory.md, section 2, uniform labels, kappa = 1; query = last unless said otherwise. The
// block is diag I + off (J - I) with off = -diag/(N-1). Derivation: docs/theory.md, section 5, T3.step2.
//
// Hand-offs: ideal, W_O = alpha W_O*, coefficient of alpha; actual, W_O = eta1 (-dL/dW_O at zero), coefficient of eta1, with
// Blocks::isolated the block (U,E) of that step alone, with Blocks::full all of it. An ideal hand-off does not look at
// Blocks.
#pragma once
#include <utility>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "theory/formulas/formula.hpp"
#include "theory/formulas/harmonic.hpp"
#include "theory/formulas/size_value.hpp"

namespace popgrad {

// The five numbers that the law of tau enters through; symbol T. At query T, position s of layer 2 holds the output (O_s =
// 1{s = tau+1}) or the trigger (Q_s = 1{s in {tau, T}}), and layer 1 has written there the shares O'_s, Q'_s of both among
// positions 1..s. With <a, b> = sum_s (a_s - mean a) b_s:
Formula step2_x();         // X = E<O, Q'>: the memory. W_O reads the output where its position already holds the trigger
Formula step2_y();         // Y = E<Q, O'>
Formula step2_z();         // Z = E<O, O'>
Formula step2_x_shared();  // X_R = E<O', Q'>: what a W_O that reads remapped tokens adds
Formula step2_z_shared();  // Z_R = E<O', O'>

// N T diag per unit of (U,E) and per unit of (U,R) in W_O: u X + v Y + w Z, and (u + v) X_R + w Z_R. Symbols N, T.
Formula step2_read(Background background, HarmonicEnd end = HarmonicEnd::right);
Formula step2_remapped(Background background, HarmonicEnd end = HarmonicEnd::right);

// Symbols N, T. ideal: read/(N T). isolated: read/(N T)^2. full: (read + h_T remapped)/(N T)^2.
Formula step2_diag(Background background, Handoff handoff, Blocks blocks);
Formula step2_off(Background background, Handoff handoff, Blocks blocks);
// The memory signal diag - off = diag N/(N-1).
Formula step2_margin(Background background, Handoff handoff, Blocks blocks);
// diag written with the symbols X, Y, Z, X_R, Z_R, h_T, to be read.
Formula step2_diag_outline(Background background, Handoff handoff, Blocks blocks);

// The margin as T -> infinity at fixed N. Left out: relative O(1/T), for full O(log T / T). H(T-1) and H(T-1, 2) are kept.
Formula step2_margin_large_T(Background background, Handoff handoff, Blocks blocks);
// The margin as N -> infinity at fixed T, to second order. Left out: relative O(1/N^2); nothing for background any, where
// the margin is this polynomial in 1/N exactly.
Formula step2_margin_large_N(Background background, Handoff handoff, Blocks blocks);

// diag, exactly, for either query. query = any is the mean over lengths T' = 4..T, and the first step is the mean first
// step. InputError if the task is bad, HypothesisError if its labels are not uniform.
// `end` is for negative controls.
Rational step2_diag_exact(const MinimalTask& task, Handoff handoff, Blocks blocks, HarmonicEnd end = HarmonicEnd::right);

// diag at every (N, T), 2 <= N <= largest_N and 4 <= T <= largest_T, sorted; query = last. By exact evaluation.
std::vector<SizeValue> step2_map(Background background, Handoff handoff, Blocks blocks, int largest_N, int largest_T);

// All (N, T), 2 <= N <= largest_N and 4 <= T <= largest_T, at which diag <= 0, so that the step does not form the memory;
// query = last, sorted. By exact evaluation of the closed form. Isolated has the region of ideal.
std::vector<std::pair<int, int>> step2_failures(Background background, Handoff handoff, Blocks blocks, int largest_N,
                                                int largest_T);

// The same as a statement for every N >= 2 and T >= 4 (proof in docs/theory.md): diag <= 0 exactly if
//   any, ideal and isolated    T = 4; T = 5 and N <= 5; T = 6, 7 and N = 2
//   any, full                  T = 4; T = 5 and N <= 11; T = 6, 7 and N = 2
//   avoid, ideal and isolated  T = 4, a tie (diag = 0) at N = 2
//   avoid, full                T = 4 and N >= 3
// HypothesisError unless N >= 2 and T >= 4.
bool step2_fails(int N, int T, Background background, Handoff handoff, Blocks blocks);

// The same for query = any, where the lengths at which it fails weigh in the mean: diag <= 0 exactly if
//   any, ideal and isolated    T = 4, 5; N <= 14, 6, 4, 4, 3, 3, 3 at T = 6 .. 12; N = 2 from T = 13 on
//   any, full                  T = 4, 5, 6; N <= 24, 8, 5, 4, 3, 3, 3 at T = 7 .. 13; N = 2 from T = 14 to 30
//   avoid, ideal and isolated  T = 4 (N = 2 a tie); T = 5 and N >= 7
//   avoid, full                T = 4 and N >= 3; T = 5 and N >= 4; T = 6 and N >= 10
// A statement for N >= 2 and 4 <= T <= 40, HypothesisError elsewhere. (Every N: at one T the sign changes at most once in N.)
bool step2_fails_any_length(int N, int T, Background background, Handoff handoff, Blocks blocks);

}  // namespace popgrad
