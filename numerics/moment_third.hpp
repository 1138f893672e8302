// The third step behind ideal or isolated maps, to leading order, from joint laws of a few tokens. Internal to numerics.
#pragma once
#include <vector>

#include "core/minimal_task.hpp"
#include "core/rational.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/moment_pairs.hpp"

namespace popgrad {

// Row t of (P,P) before the softmax of layer 1, which centres it and divides by t: keys s = 1 (rows t >= 3), 2 .. t-2, t-1
// and t.
struct KeyRow {
  Rational first, inner, before, self;
  KeyRow& operator+=(const KeyRow& other) {
    first += other.first;
    inner += other.inner;
    before += other.before;
    self += other.self;
    return *this;
  }
};
// E[c_t x_s] of sequences of one length, c and x of moment_third_step at alpha = 1: rows t = 1..L. pair: with_trigger. What
// it does not tell apart is computed once.
std::vector<KeyRow> key_rows(const PairExcess& pair, int L);

// factor times the coefficient of alpha beta in -dL/dW_K1 at W_O = alpha (U,E), W_K2 = beta (E,R), W_K1 = 0. Only the key
// path is open: the score of key t has descent c_t = (alpha/L)(f_t - mean f), and attention t -> s moves it by beta 1{z_s =
// q}, so with x_s = 1{z_s = q} and X_t its mean over s <= t
//   (P_t, P_s) = E[c_t (x_s - X_t)] / t,   s <= t (positions from 1),
// and (E,P), (E,E) are its sums over t with the token z_t. O(T) numbers a length, and O(T^2) to write. What (P_t, P_s) does
// not tell apart is computed once: s = 1, 1 < s < t-1, t-1 and t.
InvariantMaps<Rational> moment_third_step(const MinimalTask& task, const Rational& factor);

}  // namespace popgrad
