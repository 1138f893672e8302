#include "theory/formulas/gate.hpp"

#include "core/errors.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/symbols.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::harmonic;
using symbolic::remapped_weight;
using symbolic::symbol;

namespace {

// (c/T) pi = h_T/(N T^2) * (N-1)/(N (T-2)), the factor common to all blocks.
GiNaC::ex scale() {
  const auto N = symbol("N"), T = symbol("T");
  return remapped_weight() * (N - 1) / (pow(N, 2) * pow(T, 2) * (T - 2));
}

// sum_t (1/t) [...] of (E,E), from the joint laws of (z_s, z_s', z_t, o) case by case in the place of t relative to tau;
// both carry the factor 1/(T - 2) of a uniform tau outside.
GiNaC::ex token_sum(Background background) {
  const auto N = symbol("N"), T = symbol("T");
  const GiNaC::ex one = harmonic(T - 1), two = harmonic(T - 1, 2);
  if (background == Background::any)
    return (1 - 1 / N) * (two - 1 + (T - 1 - 3 * one + 2 * two) / N - 2 * (T - 2) / pow(T, 2));
  const GiNaC::ex avoided = (N + 1) / (N * (N - 1));
  return two - 1 + (2 * (T - 1) - 7 * one + 5 * two) / N - avoided * (T - 3 - 5 * one + 6 * two) +
         (T - 2) / pow(T, 2) * ((T - 1) / N - 2);
}

GiNaC::ex token_diagonal(Background background) {
  const auto N = symbol("N"), T = symbol("T");
  return remapped_weight() / (pow(N, 2) * pow(T, 2) * (T - 2)) * token_sum(background);
}

Formula position_formula(int t, int s, int T) {
  const bool end = s == 1 || s == T;
  if (t == T) return end ? gate_pp_boundary_end() : gate_pp_boundary_inner();
  return s == 1 ? gate_pp_first() : gate_pp_later();
}

}  // namespace

Formula gate_pp_first() {
  return build([] { return GiNaC::ex(-scale() * (symbol("t") - 1) / pow(symbol("t"), 2)); });
}

Formula gate_pp_later() {
  return build([] { return GiNaC::ex(scale() / pow(symbol("t"), 2)); });
}

Formula gate_pp_boundary_end() {
  return build([] { return GiNaC::ex(-scale() * (symbol("T") - 2) / pow(symbol("T"), 2)); });
}

Formula gate_pp_boundary_inner() {
  return build([] { return GiNaC::ex(2 * scale() / pow(symbol("T"), 2)); });
}

Formula gate_ep_first() {
  return build([] {
    const auto N = symbol("N"), T = symbol("T");
    return GiNaC::ex(scale() / N * (harmonic(T - 1, 2) - harmonic(T - 1) - (T - 2) / pow(T, 2)));
  });
}

Formula gate_ep_inner() {
  return build([] {
    const auto N = symbol("N"), T = symbol("T"), s = symbol("s");
    return GiNaC::ex(scale() / N * (harmonic(T - 1, 2) - harmonic(s - 1, 2) + 2 / pow(T, 2)));
  });
}

Formula gate_ep_last() {
  return build([] { return GiNaC::ex(-scale() / symbol("N") * (symbol("T") - 2) / pow(symbol("T"), 2)); });
}

Formula gate_pe() {
  return build([] { return GiNaC::ex(0); });
}

Formula gate_ee_diag(Background background) {
  return build([&] { return token_diagonal(background); });
}

Formula gate_ee_off(Background background) {
  return build([&] { return GiNaC::ex(-token_diagonal(background) / (symbol("N") - 1)); });
}

// A unit c_{k,p_b} gives (P_T,E_j) the coefficient (1/(TN)) (1/N - 1{j=k}) (P(tau + 1 = b) - 1/T), and every (E_q,E_j) 1/N of it.
Formula gate_decay_constant_positions() {
  return build([] {
    const auto N = symbol("N"), T = symbol("T");
    return GiNaC::ex(2 * (1 + 1 / N) * (N - 1) / (pow(N, 2) * pow(T, 3) * (T - 2)));
  });
}

// A unit c_{k,a} gives (P_T,P_s) and (E_q,P_s) as much as positions give in all, and (., E_j) from the counts n_j of token j:
// with M_q, M_o the expected number of the trigger and of another token among the positions that do not hold the output,
//   (E_q,E_j) = (1/(T N^2)) [(1 - 1/T) 1{j=a} e_ak - (1/T) (M_a e_jk + M_j e_ak)],  e_ak = 1/N - 1{a=k},
// and the same with (T-1)/N for M_j, times N, for (P_T,E_j).
Formula gate_decay_constant(Background background) {
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    const GiNaC::ex a = 1 - 1 / T;
    const GiNaC::ex in_background = background == Background::any ? GiNaC::ex(1 / N) : GiNaC::ex(0);
    const GiNaC::ex trigger = 2 + (T - 3) * in_background, other = (T - 1 - trigger) / (N - 1);
    const GiNaC::ex counts = pow(trigger, 2) + (N - 1) * pow(other, 2);
    const GiNaC::ex positions = 2 * (1 + 1 / N) * (N - 1) / (T * (T - 2));
    const GiNaC::ex by_position = pow(a, 2) * (N - 1) * (N - 2) / N;
    const GiNaC::ex by_token =
        pow(a, 2) * (N - 1) - 4 * pow(a, 2) * (N - 1) / N + 2 / pow(T, 2) * (N * counts - pow(T - 1, 2) / N);
    return GiNaC::ex((2 * positions + by_position + by_token / N) / pow(T * N, 2));
  });
}

Rational gate_value_path(int N, int T, Background background, Block query, int query_index, Block key, int key_index) {
  require(N >= 2, "gate_value_path", "N", "at least 2", std::to_string(N));
  require(T >= 4, "gate_value_path", "T", "at least 4", std::to_string(T));
  const auto inside = [&](Block block, int index) {
    require(block == Block::E || block == Block::P, "gate_value_path", "block", "E or P", name(block));
    const int count = block == Block::E ? N : T;
    require(index >= 0 && index < count, "gate_value_path", "index", "in 0.." + std::to_string(count - 1),
            std::to_string(index));
  };
  inside(query, query_index);
  inside(key, key_index);
  Bindings bindings = {{"N", N}, {"T", T}, {"t", query_index + 1}, {"s", key_index + 1}};
  if (query == Block::P && key == Block::E) return 0;
  if (query == Block::P) {
    if (key_index > query_index) return 0;
    return position_formula(query_index + 1, key_index + 1, T).evaluate_exact(bindings);
  }
  if (key == Block::E)
    return (query_index == key_index ? gate_ee_diag(background) : gate_ee_off(background)).evaluate_exact(bindings);
  if (key_index == 0) return gate_ep_first().evaluate_exact(bindings);
  return (key_index == T - 1 ? gate_ep_last() : gate_ep_inner()).evaluate_exact(bindings);
}

Rational gate_value_path_any_length(int N, int T, Background background, Block query, int query_index, Block key, int key_index) {
  const auto slope = [&](int length) -> Rational { return step1_h().evaluate_exact({{"T", length}}) / (N * length); };
  Rational mean_slope = 0, sum = 0;
  for (int length = 4; length <= T; ++length) mean_slope += slope(length) / (T - 3);
  for (int length = 4; length <= T; ++length) {
    if ((query == Block::P && query_index >= length) || (key == Block::P && key_index >= length)) continue;
    sum += gate_value_path(N, length, background, query, query_index, key, key_index) * mean_slope / slope(length);
  }
  return sum / (T - 3);
}

Rational gate_value_path_of(const MinimalTask& task, Block query, int query_index, Block key, int key_index) {
  const auto value = task.query == Query::last ? gate_value_path : gate_value_path_any_length;
  return value(task.N, task.T, task.background, query, query_index, key, key_index);
}

}  // namespace popgrad
