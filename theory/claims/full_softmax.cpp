#include "theory/claims/full_softmax.hpp"

#include <algorithm>

#include "numerics/leading_pass.hpp"
#include "theory/claims/support.hpp"

namespace popgrad {

StageSizes certified_sizes(const MinimalTask& task, Handoff handoff) {
  const double size = handoff == Handoff::ideal ? 1 : task.T;
  return {size, size, 0};
}

InvariantMaps<Rational> leading_stage(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage, const StageSizes& sizes) {
  const InvariantMaps<Rational> zero(task.N, task.T);
  const auto kept = [&](const InvariantMaps<Rational>& maps, int of) { return blocks == Blocks::isolated ? isolate(maps, of) : maps; };
  InvariantMaps<Rational> start = zero;
  if (handoff == Handoff::ideal) {
    const InvariantMaps<Rational> memories = invariant_memories<Rational>(task.N, task.T);
    start.add(Rational(sizes.first), isolate(memories, 1));
    if (stage == 3) start.add(Rational(sizes.second), isolate(memories, 2));
  } else {
    if (stage > 1) start.add(Rational(sizes.first), kept(leading_descent(task, zero, 1), 1));
    if (stage > 2) start.add(Rational(sizes.second), kept(leading_descent(task, start, 2), 2));
  }
  return leading_descent(task, start, stage);
}

Entry certain_entry(const std::string& name, bool predicted, Certainty measured) {
  Budget budget;
  if (measured == Certainty::undecided) budget.truncation = 0.5;
  return entry(name, predicted ? 1 : 0, measured == Certainty::yes ? 1 : measured == Certainty::no ? 0 : 0.5, budget, true);
}

CertifiedStage turned_round(const CertifiedStage& stage) {
  InvariantMaps<Interval> descent(stage.descent.N, stage.descent.T);
  descent.add(Interval(-1), stage.descent);
  return certify_stage(stage.stage, std::move(descent));
}

Row judge_certified(const std::string& claim, const MinimalTask& task, const std::vector<Entry>& right, const std::vector<Entry>& gradient) {
  const auto reversed = [&](const std::string& way) {
    return [&, way] {
      std::vector<Entry> wrong;
      for (const Entry& e : right)
        wrong.push_back(e.name.starts_with(way) ? entry(e.name, 1 - e.predicted, e.measured, e.budget, true) : e);
      return wrong;
    };
  };
  // Statements are true or false: the reversed ones are implied by the right ones, and show that the check can fail, for each hand-off.
  std::vector<Control> controls = {{"the gradient", "the step taken uphill", [&] { return gradient; }},
                                   {"negation: all", "the opposite of every statement", reversed("")}};
  for (const HandedOn& way : handed_on_ways)
    controls.push_back({std::string("negation: ") + way.name, "the opposite for this hand-off", reversed(way.name), named_with({way.name})});
  return judge(claim, "order=full", task.describe(), Grade::certified, right, 0.25, controls);
}

}  // namespace popgrad
