#include "theory/formulas/catalogue.hpp"

#include "theory/formulas/gate.hpp"
#include "theory/formulas/lemma1.hpp"
#include "theory/formulas/lemma2.hpp"
#include "theory/formulas/onestep_moments.hpp"
#include "theory/formulas/step1.hpp"

namespace popgrad {
namespace {

CatalogueEntry entry(const char* claim, const char* name, const Formula& formula) {
  return {claim, name, formula.text(), formula.latex(), formula.mathml()};
}

}  // namespace

std::vector<CatalogueEntry> catalogue() {
  return {
      entry("L1", "coefficient of w_U(k) w_E(z)^T in +grad", lemma1_coefficient()),
      entry("L2.identity", "coefficient of w_U(k) in +grad, one coordinate", lemma2_identity()),
      entry("L2.filter", "W = 0, uniform labels", lemma2_filter()),
      entry("L2.filter", "W = 0, any labels", lemma2_labels()),
      entry("L2.filter", "noise that stays with other labels", lemma2_labels_residue()),
      entry("L2.filter", "noise that stays at W = epsilon V, first order", lemma2_weight_residue()),
      entry("L2.variance", "E||G_B - G||^2", lemma2_variance()),
      entry("L2.variance", "orthonormal one-step example", lemma2_variance_onestep()),
      entry("L2.onestep", "ideal logit", onestep_logit_ideal()),
      entry("L2.onestep", "mean of the right logit, units of eta/N", onestep_mean_right()),
      entry("L2.onestep", "mean of a wrong logit", onestep_mean_wrong()),
      entry("L2.onestep", "variance of the right logit", onestep_variance_right()),
      entry("L2.onestep", "variance of a wrong logit", onestep_variance_wrong()),
      entry("L2.onestep", "variance of a wrong logit, leading order", onestep_variance_leading()),
      entry("L2.onestep", "covariance of right and wrong", onestep_covariance_right_wrong()),
      entry("L2.onestep", "covariance of two wrong logits", onestep_covariance_wrong_wrong()),
      entry("T3.gate", "value path (P_t,P_s), s = 1, t < T, per eta1", gate_pp_first()),
      entry("T3.gate", "value path (P_t,P_s), 2 <= s <= t < T", gate_pp_later()),
      entry("T3.gate", "value path (P_T,P_s), s = 1 and s = T", gate_pp_boundary_end()),
      entry("T3.gate", "value path (P_T,P_s), 2 <= s <= T-1", gate_pp_boundary_inner()),
      entry("T3.gate", "value path (E_i,P_s), s = 1", gate_ep_first()),
      entry("T3.gate", "value path (E_i,P_s), 2 <= s <= T-1", gate_ep_inner()),
      entry("T3.gate", "value path (E_i,P_s), s = T", gate_ep_last()),
      entry("T3.gate", "value path (E,E) diag, background any", gate_ee_diag(Background::any)),
      entry("T3.gate", "value path (E,E) diag, background avoid", gate_ee_diag(Background::avoid)),
      entry("T3.gate", "finite d: C in E||dL/dW_K1||^2 = C/d, background any", gate_decay_constant(Background::any)),
      entry("T3.gate", "finite d: C, background avoid", gate_decay_constant(Background::avoid)),
      entry("T3.step1", "h_T", step1_h()),
      entry("T3.step1", "(U,E) diag", step1_ue_diag()),
      entry("T3.step1", "(U,E) off", step1_ue_off()),
      entry("T3.step1", "(U,R) diag", step1_ur_diag()),
      entry("T3.step1", "(U,R) off", step1_ur_off()),
      entry("T3.step1", "(U,P) and (U,S)", step1_position()),
      entry("T3.step1", "(U,E) with labels p", step1_ue_labels()),
      entry("T3.step1", "(U,R) with labels p", step1_ur_labels()),
      entry("T3.step1", "(U,P) with labels p", step1_up_labels()),
      entry("T3.step1", "(U,S) with labels p", step1_us_labels()),
  };
}

std::vector<CatalogueEntry> catalogue(const std::string& claim) {
  std::vector<CatalogueEntry> chosen;
  for (auto& entry : catalogue())
    if (entry.claim == claim) chosen.push_back(std::move(entry));
  return chosen;
}

}  // namespace popgrad
