// T3.step3 at full softmax: rows of (P,P) proved to recall, or proved not to.
#include "theory/claims/full_softmax.hpp"
#include "theory/claims/recalled_row.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step3_parts.hpp"

namespace popgrad {
namespace {

void add(std::vector<Entry>& list, const std::string& way, const InvariantMaps<Rational>& leading, const CertifiedStage& stage) {
  for (const CertifiedRow& row : stage.rows)
    list.push_back(certain_entry(way + " P" + std::to_string(row.t - 1) + " largest in row " + std::to_string(row.t),
                                 recalls(leading, row.t - 1), row.recalled));
}

}  // namespace

Row step3_certified(const MinimalTask& task) {
  std::vector<Entry> right, gradient;
  for (const HandedOn& way : handed_on_ways) {
    const StageSizes sizes = certified_sizes(task, way.handoff);
    const CertifiedStage stage = certified_stages(task, way.handoff, way.blocks, sizes).back();
    const InvariantMaps<Rational> leading = leading_stage(task, way.handoff, way.blocks, 3, sizes);
    add(right, way.name, leading, stage);
    add(gradient, way.name, leading, turned_round(stage));
  }
  return judge_certified("T3.step3", task, right, gradient);
}

}  // namespace popgrad
