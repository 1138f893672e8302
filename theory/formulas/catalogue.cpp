#include "theory/formulas/catalogue.hpp"

#include "theory/formulas/end.hpp"
#include "theory/formulas/gate.hpp"
#include "theory/formulas/lemma1.hpp"
#include "theory/formulas/lemma2.hpp"
#include "theory/formulas/onestep_moments.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

CatalogueEntry entry(const char* claim, const std::string& name, const Formula& formula) {
  return {claim, name, formula.text(), formula.latex(), formula.mathml()};
}

void add_step2(std::vector<CatalogueEntry>& list) {
  const auto add = [&](const std::string& what, const Formula& formula) {
    list.push_back(entry("T3.step2", what, formula));
  };
  add("X", step2_x());
  add("Y", step2_y());
  add("Z", step2_z());
  add("X_R", step2_x_shared());
  add("Z_R", step2_z_shared());
  struct Start {
    const char* name;
    Handoff handoff;
    Blocks blocks;
  };
  for (const Background background : {Background::any, Background::avoid})
    for (const Start& start : {Start{"ideal, per alpha", Handoff::ideal, Blocks::full},
                               Start{"actual isolated, per eta1", Handoff::actual, Blocks::isolated},
                               Start{"actual full, per eta1", Handoff::actual, Blocks::full}}) {
      const std::string where = std::string(", background ") + name(background) + ", " + start.name;
      add("(E,R) diag" + where, step2_diag_outline(background, start.handoff, start.blocks));
      add("(E,R) diag - off, T large" + where, step2_margin_large_T(background, start.handoff, start.blocks));
    }
}

void add_step3(std::vector<CatalogueEntry>& list) {
  struct Place {
    const char* name;
    Step3Row row;
    Step3Key key;
  };
  for (const Background background : {Background::any, Background::avoid}) {
    const auto add = [&](const std::string& what, const Formula& formula) {
      list.push_back(entry("T3.step3", what + ", background " + name(background), formula));
    };
    for (const Place& place :
         {Place{"(P_2,P_1) = -(P_2,P_2)", Step3Row::two, Step3Key::previous},
          Place{"(P_t,P_1), 3 <= t <= T-2", Step3Row::middle, Step3Key::first},
          Place{"(P_t,P_s), 2 <= s <= t-2", Step3Row::middle, Step3Key::inner},
          Place{"(P_t,P_{t-1})", Step3Row::middle, Step3Key::previous}, Place{"(P_t,P_t)", Step3Row::middle, Step3Key::same},
          Place{"(P_{T-1},P_1)", Step3Row::before_last, Step3Key::first},
          Place{"(P_{T-1},P_s), 2 <= s <= T-3", Step3Row::before_last, Step3Key::inner},
          Place{"(P_{T-1},P_{T-2})", Step3Row::before_last, Step3Key::previous},
          Place{"(P_{T-1},P_{T-1})", Step3Row::before_last, Step3Key::same},
          Place{"(P_T,P_1)", Step3Row::last, Step3Key::first},
          Place{"(P_T,P_s), 2 <= s <= T-2", Step3Row::last, Step3Key::inner},
          Place{"(P_T,P_{T-1})", Step3Row::last, Step3Key::previous}, Place{"(P_T,P_T)", Step3Row::last, Step3Key::same}})
      add(place.name, step3_entry(background, place.row, place.key));
    add("memory signal of row t", step3_signal(background));
    add("margin of row t, T large", step3_margin_large_T(background, Step3Row::middle));
  }
}

void add_end(std::vector<CatalogueEntry>& list) {
  const auto add = [&](const std::string& what, const Formula& formula) { list.push_back(entry("T3.end", what, formula)); };
  add("accuracy of the perfect head, background avoid, b >> e^c", perfect_head(Background::avoid, SharperLayer::second_layer));
  add("the same, c >> b, T >= 6", perfect_head(Background::avoid, SharperLayer::first_layer));
  add("accuracy of the perfect head, background any, b >> e^c, T >= 5", perfect_head(Background::any, SharperLayer::second_layer));
  add("the same, T large", perfect_head_large_T(Background::any));
  add("background any, E[1/number of earlier triggers], a lower bound of the best possible accuracy", one_vote_share());
}

}  // namespace

std::vector<CatalogueEntry> catalogue() {
  std::vector<CatalogueEntry> list = {
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
  add_step2(list);
  add_step3(list);
  add_end(list);
  return list;
}

std::vector<CatalogueEntry> catalogue(const std::string& claim) {
  std::vector<CatalogueEntry> chosen;
  for (auto& entry : catalogue())
    if (entry.claim == claim) chosen.push_back(std::move(entry));
  return chosen;
}

}  // namespace popgrad
