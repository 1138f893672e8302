// The ideal model (d = infinity) of docs/theory.md, templated over the scalar. The scalar is the grade of evidence: Rational
// and PowerSeries<Rational, K> at zero attention scores, double anywhere.
//
// Scalar needs + - * /, += -=, construction from int, is_zero(x), and exp_at(x) (numerics/scalar.hpp): for Rational
// exp_at throws HypothesisError unless x = 0; for PowerSeries of rationals it needs a zero constant term.
#pragma once
#include <vector>

#include "core/example.hpp"
#include "core/residual_blocks.hpp"

namespace popgrad {

// Parameters, and with the same shape their descent direction -dL. Row-major.
template <class S>
struct IdealMaps {
  Coordinates at;
  std::vector<S> wo;   // N x 2(N+T)
  std::vector<S> wk2;  // 2(N+T) x 2(N+T), query coordinate first
  std::vector<S> wk1;  // (N+T) x (N+T), query coordinate first

  IdealMaps() = default;
  IdealMaps(int N, int T);  // all zero
  S& u(int k, int coordinate) { return wo[static_cast<std::size_t>(k * at.size() + coordinate)]; }
  const S& u(int k, int coordinate) const { return wo[static_cast<std::size_t>(k * at.size() + coordinate)]; }
  S& k2(int query, int key) { return wk2[static_cast<std::size_t>(query * at.size() + key)]; }
  const S& k2(int query, int key) const { return wk2[static_cast<std::size_t>(query * at.size() + key)]; }
  S& k1(int query, int key) { return wk1[static_cast<std::size_t>(query * at.input_size() + key)]; }
  const S& k1(int query, int key) const { return wk1[static_cast<std::size_t>(query * at.input_size() + key)]; }
  IdealMaps& operator+=(const IdealMaps& other);
};

// The targets W_O*, W_K2*, W_K1*: ones on (U,E), (E,R), (P_t, P_{t-1}); zero elsewhere.
template <class S>
IdealMaps<S> ideal_memories(int N, int T);

// Logits at the last position of `tokens` (length <= T). N of them.
template <class S>
std::vector<S> ideal_logits(const IdealMaps<S>& maps, const std::vector<int>& tokens);

// Adds weight * (-grad of the cross-entropy at example.targets[0], which must be the last position) to `descent`.
// wanted: which maps to differentiate (the others are left untouched and cost nothing).
struct Wanted {
  bool wo = true, wk2 = true, wk1 = true;
};
template <class S>
void add_descent(const IdealMaps<S>& maps, const Example& example, const S& weight, const Wanted& wanted,
                 IdealMaps<S>& descent);

}  // namespace popgrad
