// EMP.gate: the ablation of the paper's Figure 3, W_O2 frozen at its random start until a release.
#include <fmt/format.h>

#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {

std::vector<Row> emp_gate(const EmpSizes& sizes, const EmpRuns& runs) {
  const std::vector<RunCurve>&free = runs.at(EmpSetting::head), &frozen = runs.at(EmpSetting::frozen);
  const auto release = static_cast<double>(sizes.release);
  const auto value = [&](const std::vector<RunCurve>& curves, const ProbeOf& probe) { return values_at(curves, probe, sizes.release); };
  struct Quantity {
    const char* name;
    ProbeOf probe;
  };
  const Quantity accuracy{"accuracy", emp_accuracy}, wk2{"R(W_K2)", emp_wk2}, wk1{"R(W_K1)", emp_wk1};
  std::string measured, risen;
  std::vector<Order> closed, opened;
  const std::vector<double> at_release(frozen.size(), release), end(frozen.size(), static_cast<double>(sizes.frozen_steps) + 1);
  for (const Quantity& q : {accuracy, wk2, wk1}) {
    closed.push_back({fmt::format("{} at update {}: frozen below free", q.name, sizes.release), value(frozen, q.probe), value(free, q.probe)});
    measured += fmt::format("{}{} at update {} {} frozen, {} free", measured.empty() ? "" : "; ", q.name, sizes.release,
                            spread(value(frozen, q.probe)), spread(value(free, q.probe)));
  }
  for (const Quantity& q : {accuracy, wk1}) {
    const std::vector<double> time = rise_times(frozen, q.probe);
    closed.push_back({fmt::format("{} rises, if frozen, after the release", q.name), at_release, time, true});
    opened.push_back({fmt::format("{} rises, once released, before the end", q.name), time, end, true});
    risen += fmt::format("{}{} {} frozen, {} free", risen.empty() ? "" : "; ", q.name, spread(time), spread(rise_times(free, q.probe)));
  }
  risen += fmt::format("; R(W_K2) {} frozen (over five triggers chance alone can pass half way)", spread(rise_times(frozen, emp_wk2)));
  const std::vector<double> free_time = rise_times(free, emp_accuracy), frozen_time = rise_times(frozen, emp_accuracy),
                            chance(frozen.size(), never), frozen_wo2 = rise_times(frozen, emp_wo2);
  const std::vector<Control> closed_controls = {
      wrong_orders("labels swapped", "frozen and free runs exchanged", {reversed(closed[0]), reversed(closed[1])}),
      wrong_orders("free in the place of frozen", "in runs that were never frozen accuracy rises after the release",
                   {{"accuracy rises, if free, after the release", at_release, free_time, true}}),
      wrong_orders("learns while frozen", "accuracy rises before the release in frozen runs", {reversed(closed[3])}),
      wrong_orders("released at the end", "accuracy rises, if frozen, only after the last update", {{"accuracy rises after the end", end, frozen_time, true}}),
      nothing_to_find("labels mixed", "frozen and free exchanged in every second seed", {mixed_labels(closed[0])}),
      nothing_to_find("with itself", "accuracy of the frozen runs below that of the same runs", {{"frozen below frozen", closed[0].smaller, closed[0].smaller}})};
  const std::vector<Control> opened_controls = {
      wrong_orders("stays shut", "accuracy does not rise before the end", {reversed(opened[0])}),
      wrong_orders("no gate", "accuracy of the frozen runs rises before the release", {{"accuracy rises before the release", frozen_time, at_release, true}}),
      wrong_orders("chance for accuracy", "accuracy replaced by its chance level, which never rises", {{"chance rises before the end", chance, end, true}}),
      wrong_orders("nothing lost", "frozen runs rise before free ones", {{"accuracy, frozen before free", frozen_time, free_time}}),
      wrong_orders("W_O2 moves at once", "R(W_O2) of the frozen runs rises before the release", {{"R(W_O2) rises before the release", frozen_wo2, at_release, true}}),
      nothing_to_find("labels mixed", "time and end exchanged in every second seed", {mixed_labels(opened[0])})};
  std::vector<Row> rows = {emp_row("EMP.gate", "frozen", sizes, runs, closed, closed_controls, measured),
                           emp_row("EMP.gate", "released", sizes, runs, opened, opened_controls, risen)};
  rows.front().series.push_back(figure3_series(sizes, runs));
  return rows;
}

Claim claim_emp_gate() {
  return emp_claim("EMP.gate",
                   "Bigram task, head loss. With W_O2 frozen at its random start, in-context accuracy and the key-query maps do not learn: at the "
                   "release accuracy, R(W_K2) and R(W_K1) are below those of runs trained from the start, and neither accuracy nor R(W_K1) has risen; "
                   "released, both rise. (W_O2 is random here, not zero: weaker than T3.gate, whose gradients vanish exactly.)",
                   {"K = 5 fixed triggers, uniform outputs", "the release is at an update at which runs trained from the start have risen: 300 at the paper's size"}, emp_gate);
}

}  // namespace popgrad
