#include "theory/formulas/gate.hpp"

#include "core/errors.hpp"
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

}  // namespace popgrad
