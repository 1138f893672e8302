// Column end of the lattice: what the third step adds to the accuracy.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "theory/claims/lattice_cells.hpp"
#include "theory/claims/lattice_diagnosis.hpp"

namespace popgrad {
namespace {

Series roles_series(const Diagnosis& found, double threshold) {
  Series series;
  series.figure = "lattice_blocks";
  series.columns = {"map (1 W_O, 2 W_K2, 3 W_K1)",
                    "query block (0 E, 1 P, 2 R, 3 S)",
                    "key block",
                    "share over memory block",
                    "accuracy without",
                    "accuracy with memory blocks alone",
                    "threshold"};
  for (const BlockRole& role : found.roles)
    series.rows.push_back({static_cast<double>(role.block.stage), static_cast<double>(role.block.query),
                           static_cast<double>(role.block.key), role.factor, role.without.with_third(),
                           role.alone.with_third(), threshold});
  return series;
}

}  // namespace

LatticeCell end_cell(const LatticeSwitches& switches, const Construction& engine, const LatticeOptions& options,
                     const BestAccuracy& accuracy, double ideal_head) {
  LatticeCell cell;
  const double base = std::max(accuracy.without_third(), 1.0 / switches.task.N);
  if (ideal_head <= base) {
    cell.formation = Formation::not_applicable;
    cell.because =
        fmt::format("one or two steps answer right as often ({:.3f}) as an induction head ({:.3f})", base, ideal_head);
    cell.row = not_applicable("", "", "", "an induction head is better than what two steps reach: " + cell.because);
    return cell;
  }
  const auto plan = [&](const KeptBlocks& kept, const std::array<double, stages>& sign = {1, 1, 1}) {
    return StepPlan{switches.handoff, kept, sign};
  };
  const auto try_plan = [&](const StepPlan& other) { return attempt(engine, other, options, ideal_head); };
  const Attempt own{accuracy, (base + ideal_head) / 2, engine.exact() ? 0 : ideal_head_answer(engine).error};
  cell.margin = own.margin();
  const double effect = (ideal_head - base) / 4;
  const Grade grade = engine.exact() ? Grade::enumerated : Grade::sampled;
  // At most two entries, here and in the controls.
  const double level = 1e-6, comparisons = comparisons_of(options, 2);
  if (!engine.exact() && std::abs(own.margin()) <= threshold_budget(own, level, comparisons).total()) {
    cell.row = undecided(
        "", "", "",
        fmt::format("accuracy {:.3f} is within its error of the threshold {:.3f}", own.with_third(), own.threshold),
        "raise verify.work");
    return cell;
  }
  std::vector<Entry> entries = {threshold_entry("accuracy after step 3", own, own.forms(), level, comparisons)};
  std::vector<Control> controls;
  const auto statement = [&](const std::string& name, const std::string& changes, const StepPlan& other, bool forms) {
    controls.push_back({name, changes, [=] {
                          return std::vector<Entry>{threshold_entry(name, try_plan(other), forms, level, comparisons)};
                        }});
  };
  // Step 2 reversed alone is no control: the third step follows its sign, and both signs together make a head that reads
  // where the trigger is not (docs/theory.md).
  const auto reversals = [&](const KeptBlocks& kept) {
    statement("step 1 reversed", "a step of W_O uphill", plan(kept, {-1, 1, 1}), true);
    statement("step 3 reversed", "a step of W_K1 uphill", plan(kept, {1, 1, -1}), true);
    statement("steps 1 and 2 reversed", "W_O and W_K2 uphill", plan(kept, {-1, -1, 1}), true);
    statement("steps 2 and 3 reversed", "both key matrices uphill", plan(kept, {1, -1, -1}), true);
  };
  if (own.forms()) {
    cell.formation = Formation::forms;
    reversals(KeptBlocks(switches.blocks));
    cell.row = judge("", "", "", grade, entries, effect, controls, "raise verify.work");
    return cell;
  }
  cell.formation = Formation::fails;
  const Diagnosis found = diagnose(engine, switches, options, ideal_head, accuracy.after[3].sizes);
  cell.because = describe(found);
  if (found.restored()) {
    entries.push_back(threshold_entry("accuracy without the blocks named", found.without_removed, true, level, comparisons));
    KeptBlocks kept(Blocks::full);
    for (const MapBlock& block : found.removed) kept = kept.without(block);
    reversals(kept);
    for (const MapBlock& block : found.removed)
      if (found.removed.size() > 1)
        statement("all but " + name(block), "one of the blocks named kept", plan(kept.with(block)), true);
  } else {
    if (!found.removed.empty())
      entries.push_back(threshold_entry("accuracy without four blocks", found.without_removed, false, level, comparisons));
    // "It fails" is put to what must form, whatever hand-off and blocks are: the same comparison, threshold included.
    const auto planted = [&](const std::string& what, const std::string& changes, const std::function<Answer()>& answered) {
      controls.push_back({what, changes, [=] {
                            Attempt made = own;
                            made.accuracy.after[3].answer = answered();
                            return std::vector<Entry>{threshold_entry(what, made, false, level, comparisons)};
                          }});
    };
    const auto head = [&engine](double size) {
      InvariantMaps<double> maps(engine.task().N, engine.task().T);
      return maps.add(size, invariant_memories<double>(engine.task().N, engine.task().T));
    };
    planted("W_O*, W_K2*, W_K1* planted", "the ideal head, scores 30", [=, &engine] { return engine.answer(head(30)); });
    planted("planted, scores 100", "the ideal head, more saturated", [=, &engine] { return engine.answer(head(100)); });
    planted("(U,E) of step 1, W_K2*, W_K1* planted", "memories in place of steps 2 and 3", [=, &engine] {
      InvariantMaps<double> maps = head(30);
      const InvariantBlock<double> step = engine.step(1, InvariantMaps<double>(maps.N, maps.T)).u(Block::E);
      const double size = 30 / std::abs(step.contrast());
      maps.u(Block::E).diag = size * step.diag;
      maps.u(Block::E).off = size * step.off;
      return engine.answer(maps);
    });
    planted("the best possible answer", "argmax P(o = k | z), no model at all", [&engine] {
      const ConstructionOptions& of = engine.options();
      return best_possible(engine.task(), {of.samples, of.seed, 0, of.longest_sum});
    });
  }
  cell.row = judge("", "", "", grade, entries, effect, controls, engine.exact() ? "" : "raise verify.work");
  cell.row.series.push_back(roles_series(found, own.threshold));
  return cell;
}

}  // namespace popgrad
