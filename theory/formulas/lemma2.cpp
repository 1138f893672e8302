#include "theory/formulas/lemma2.hpp"

#include "theory/formulas/symbols.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::symbol;

namespace {
GiNaC::ex norm2_onestep() { return (symbol("N") - 1) / pow(symbol("N"), 2); }
}  // namespace

Formula lemma2_identity() {
  return build([] { return GiNaC::ex(symbol("p_k") * (symbol("muhat_k") - symbol("mu_k"))); });
}

Formula lemma2_filter() {
  return build([] { return GiNaC::ex(-(symbol("s_k") - symbol("sbar")) / symbol("N")); });
}

Formula lemma2_labels() {
  return build([] {
    const auto N = symbol("N"), p_k = symbol("p_k");
    return GiNaC::ex(symbol("sbar") / N - p_k * symbol("s_k") + (1 / N - p_k) * symbol("nbar"));
  });
}

Formula lemma2_labels_residue() {
  return build([] { return GiNaC::ex((1 / symbol("N") - symbol("p_k")) * symbol("nbar")); });
}

Formula lemma2_weight_residue() {
  return build([] { return GiNaC::ex(symbol("epsilon") * (symbol("m_k") - symbol("mbar")) / symbol("N")); });
}

Formula lemma2_variance() {
  return build([] { return GiNaC::ex((symbol("secondmoment") - symbol("normsquared")) / symbol("B")); });
}

Formula lemma2_variance_onestep() {
  return build([] { return GiNaC::ex((2 * (1 - 1 / symbol("N")) - norm2_onestep()) / symbol("B")); });
}

Formula lemma2_norm2_onestep() {
  return build([] { return norm2_onestep(); });
}

}  // namespace popgrad
