// EMP.order: in which order the three memories and the accuracy rise.
#include <fmt/format.h>

#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {

namespace {

using Times = std::vector<double>;

// Orders of the same runs, seed by seed.
Order before(const std::string& a, const Times& x, const std::string& b, const Times& y) { return {a + " before " + b, x, y, true}; }

Row by_margin(const EmpSizes& sizes, const EmpRuns& runs) {
  const std::vector<RunCurve>& curves = runs.at(EmpSetting::head);
  const Times o = margin_times(curves, emp_wo2), k = margin_times(curves, emp_wk2), p = margin_times(curves, emp_wk1),
              accuracy = rise_times(curves, emp_accuracy), chance(curves.size(), never);
  const Order first = before("margin of W_O2", o, "margin of W_K2", k), second = before("margin of W_K2", k, "margin of W_K1", p);
  const std::vector<Control> controls = {
      wrong_orders("reversed", "W_K1, then W_K2, then W_O2", {reversed(first), reversed(second)}),
      wrong_orders("W_K2 first", "W_K2, then W_O2, then W_K1", {reversed(first), before("margin of W_O2", o, "margin of W_K1", p)}),
      wrong_orders("W_K1 second", "W_O2, then W_K1, then W_K2", {before("margin of W_O2", o, "margin of W_K1", p), reversed(second)}),
      wrong_orders("other probe", "the margin of W_K1 in the place of that of W_O2", {before("margin of W_K1", p, "margin of W_K2", k)}),
      wrong_orders("chance for W_O2", "the margin of W_O2 replaced by one that stays where it is", {before("no margin", chance, "margin of W_K2", k)}),
      wrong_orders("accuracy first", "accuracy rises before the margin of W_O2 does", {before("accuracy", accuracy, "margin of W_O2", o)}),
      nothing_to_find("labels mixed", "W_O2 and W_K2 exchanged in every second seed", {mixed_labels(first)}),
      nothing_to_find("with itself", "W_K1 before W_K1", {before("margin of W_K1", p, "itself", p)})};
  return emp_row("EMP.order", "margins", sizes, runs, {first, second}, controls,
                 fmt::format("margin of W_O2 {}, W_K2 {}, W_K1 {}; accuracy rises {}", spread(o), spread(k), spread(p), spread(accuracy)));
}

Row by_recall(const EmpSizes& sizes, const EmpRuns& runs) {
  const std::vector<RunCurve>& curves = runs.at(EmpSetting::head);
  const Times o = rise_times(curves, emp_wo2), k = rise_times(curves, emp_wk2), p = rise_times(curves, emp_wk1), chance(curves.size(), never),
              start(curves.size(), 0.0);
  const Order output = before("R(W_O2)", o, "R(W_K1)", p), key = before("R(W_K2)", k, "R(W_K1)", p);
  const std::vector<Control> controls = {
      wrong_orders("reversed", "R(W_K1) rises first of the three", {reversed(output), reversed(key)}),
      wrong_orders("W_K1 in the middle", "R(W_O2), then R(W_K1), then R(W_K2)", {output, reversed(key)}),
      wrong_orders("chance for R(W_O2)", "R(W_O2) replaced by its chance level, which never rises", {before("chance", chance, "R(W_K1)", p)}),
      wrong_orders("chance for R(W_K2)", "R(W_K2) replaced by its chance level, which never rises", {before("chance", chance, "R(W_K1)", p)}),
      wrong_orders("at once", "R(W_K1) has risen at the start", {before("R(W_K1)", p, "the start", start)}),
      nothing_to_find("labels mixed", "R(W_O2) and R(W_K1) exchanged in every second seed", {mixed_labels(output)}),
      nothing_to_find("with itself", "R(W_K1) before R(W_K1)", {before("R(W_K1)", p, "itself", p)})};
  const OrderTest between = sign_test(k, o);
  return emp_row("EMP.order", "recalls", sizes, runs, {output, key}, controls,
                 fmt::format("R(W_O2) {}, R(W_K2) {}, R(W_K1) {}; R(W_K2) before R(W_O2) in {} of {} seeds ({} ties), not claimed", spread(o), spread(k),
                             spread(p), between.smaller, between.comparisons, between.ties));
}

}  // namespace

std::vector<Row> emp_order(const EmpSizes& sizes, const EmpRuns& runs) {
  std::vector<Row> rows = {by_margin(sizes, runs), by_recall(sizes, runs)};
  rows.front().series.push_back(figure3_series(sizes, runs));
  return rows;
}

Claim claim_emp_order() {
  return emp_claim("EMP.order",
                   "Bigram task, head loss. Margins, a tenth of the way to their last value: W_O2 first, then W_K2, then W_K1. Recalls, half of the way to 1: "
                   "R(W_O2) and R(W_K2) rise before R(W_K1). Which of these two is first is claimed of margins alone: R(W_K2) asks five triggers where "
                   "R(W_O2) asks all 65 tokens, and mostly rises first.",
                   {"K = 5 fixed triggers, uniform outputs", "runs of 300 updates, whose last margins are the goal",
                    "margins: found at batch 64 and T = 32, 64; at larger batches W_O2 and W_K2 come closer, at the paper's size perhaps the other way round"}, emp_order);
}

}  // namespace popgrad
