#include "theory/formulas/step1.hpp"

#include "core/errors.hpp"
#include "theory/formulas/symbols.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::harmonic;
using symbolic::remapped_weight;
using symbolic::symbol;

GiNaC::ex symbolic::remapped_weight(HarmonicEnd end) {
  const auto T = symbol("T");
  return (T - harmonic(end == HarmonicEnd::right ? GiNaC::ex(T - 1) : GiNaC::ex(T)) - 2 / T) / (T - 2);
}

Formula step1_h(HarmonicEnd end) {
  return build([&] { return remapped_weight(end); });
}

Formula step1_ue_diag() {
  return build([] { return GiNaC::ex((1 - 1 / symbol("N")) / (symbol("N") * symbol("T"))); });
}

Formula step1_ue_off() {
  return build([] { return GiNaC::ex(-1 / (pow(symbol("N"), 2) * symbol("T"))); });
}

Formula step1_ur_diag() {
  return build([] { return GiNaC::ex(remapped_weight() * (1 - 1 / symbol("N")) / (symbol("N") * symbol("T"))); });
}

Formula step1_ur_off() {
  return build([] { return GiNaC::ex(-remapped_weight() / (pow(symbol("N"), 2) * symbol("T"))); });
}

Formula step1_position() {
  return build([] { return GiNaC::ex(0); });
}

Formula step1_ue_labels() {
  return build([] {
    const auto N = symbol("N"), T = symbol("T"), p_k = symbol("p_k"), p_j = symbol("p_j"), delta = symbol("delta_kj");
    return GiNaC::ex((p_k * delta - p_j / N + (p_k - 1 / N) * (T - 1) / N) / T);
  });
}

Formula step1_ur_labels() {
  return build([] {
    const auto N = symbol("N"), T = symbol("T"), p_k = symbol("p_k"), p_j = symbol("p_j"), delta = symbol("delta_kj");
    const GiNaC::ex h = remapped_weight();
    return GiNaC::ex((h * (p_k * delta - p_j / N) + (p_k - 1 / N) * (T - h) / N) / T);
  });
}

Formula step1_up_labels() {
  return build([] { return GiNaC::ex((symbol("p_k") - 1 / symbol("N")) / symbol("T")); });
}

Formula step1_us_labels() {
  return build([] {
    const auto N = symbol("N"), T = symbol("T"), p_k = symbol("p_k"), s = symbol("s");
    return GiNaC::ex((p_k - 1 / N) * (harmonic(T) - harmonic(s - 1)) / T);
  });
}

Rational step1_any(const Formula& last, int T, const Bindings& others, int first) {
  require(T >= 4, "step1_any", "T", "at least 4", std::to_string(T));
  require(first >= 4, "step1_any", "first", "at least 4", std::to_string(first));
  Bindings bindings = others;
  Rational total = 0;
  for (int length = first; length <= T; ++length) {
    bindings.insert_or_assign("T", length);
    total += last.evaluate_exact(bindings);
  }
  return total / (T - 3);
}

}  // namespace popgrad
