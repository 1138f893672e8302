// EMP.bigram: the global bigram law is learned long before the in-context one.
#include <fmt/format.h>

#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {
namespace {

// "Long before": at most a quarter of the updates.
constexpr double factor = 4;

}  // namespace

std::vector<Row> emp_bigram(const EmpSizes& sizes, const EmpRuns& runs) {
  const std::vector<RunCurve>& curves = runs.at(EmpSetting::full);
  const std::vector<double> kl = fall_times(curves), accuracy = rise_times(curves, emp_accuracy), wk2 = rise_times(curves, emp_wk2), never_rises(curves.size(), never);
  const auto before = [](const std::string& name, const std::vector<double>& x, const std::vector<double>& y) { return Order{name, x, y, true}; };
  const Order right = before(fmt::format("{:g} times the update at which KL falls, before accuracy rises", factor), times(factor, kl), accuracy);
  const std::vector<Control> controls = {
      wrong_orders("reversed", "accuracy rises before KL falls", {before("accuracy before KL", accuracy, kl)}),
      wrong_orders("times swapped", "a quarter the other way", {before("4 times accuracy before KL", times(factor, accuracy), kl)}),
      wrong_orders("a thousand times", "a thousand times the update at which KL falls is still before accuracy rises", {before("1000 times KL", times(1000, kl), accuracy)}),
      wrong_orders("chance for KL", "KL replaced by that of the uniform prediction, which never falls", {before("uniform KL", never_rises, accuracy)}),
      wrong_orders("memory first", "R(W_K2) rises before KL falls", {before("R(W_K2) before KL", wk2, kl)}),
      nothing_to_find("labels mixed", "both times exchanged in every second seed", {mixed_labels(right)}),
      nothing_to_find("with itself", "accuracy before accuracy", {before("accuracy before itself", accuracy, accuracy)})};
  std::vector<Row> rows = {emp_row("EMP.bigram", "", sizes, runs, {right}, controls,
                                   fmt::format("KL falls {}, R(W_K2) rises {}, accuracy rises {}", spread(kl), spread(wk2), spread(accuracy)))};
  rows.front().series.push_back(figure4_series(sizes, runs));
  return rows;
}

Claim claim_emp_bigram() {
  return emp_claim("EMP.bigram",
                   "Bigram task, full loss, W_F on: KL of W_F to the global bigram law has fallen half of the way to its lowest value in at most a quarter "
                   "of the updates after which in-context accuracy rises.",
                   {"K = 5 fixed triggers, uniform outputs other than the trigger"}, emp_bigram);
}

}  // namespace popgrad
