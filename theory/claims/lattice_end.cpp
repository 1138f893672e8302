// Column end of the lattice: what the third step adds to the accuracy.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

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
  const Attempt own{accuracy, (base + ideal_head) / 2};
  cell.margin = own.margin();
  const double effect = (ideal_head - base) / 4;
  const Grade grade = engine.exact() ? Grade::enumerated : Grade::sampled;
  if (!engine.exact() && std::abs(own.margin()) <= threshold_budget(own, 1e-6, 8).total()) {
    cell.row = undecided(
        "", "", "",
        fmt::format("accuracy {:.3f} is within its error of the threshold {:.3f}", own.with_third(), own.threshold),
        "raise verify.work");
    return cell;
  }
  std::vector<Entry> entries = {threshold_entry("accuracy after step 3", own, own.forms())};
  std::vector<Control> controls;
  const auto statement = [&](const std::string& name, const std::string& changes, const StepPlan& other, bool forms) {
    controls.push_back({name, changes, [=] { return std::vector<Entry>{threshold_entry(name, try_plan(other), forms)}; }});
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
    entries.push_back(threshold_entry("accuracy without the blocks named", found.without_removed, true));
    KeptBlocks kept(Blocks::full);
    for (const MapBlock& block : found.removed) kept = kept.without(block);
    reversals(kept);
    for (const MapBlock& block : found.removed)
      if (found.removed.size() > 1)
        statement("all but " + name(block), "one of the blocks named kept", plan(kept.with(block)), true);
  } else {
    if (!found.removed.empty())
      entries.push_back(threshold_entry("accuracy without four blocks", found.without_removed, false));
    // "It fails" is put to plans that should form: with the memory blocks alone, and with ideal hand-offs.
    const KeptBlocks memories(Blocks::isolated);
    statement("memory blocks alone", "isolated blocks", plan(memories), false);
    statement("ideal hand-off", "memories in place of the first two steps",
              {Handoff::ideal, KeptBlocks(switches.blocks), {1, 1, 1}}, false);
    statement("ideal hand-off, isolated", "memories, and (P,P) alone of the third step",
              {Handoff::ideal, memories, {1, 1, 1}}, false);
    statement("memory blocks and (R,R) of W_K2", "one harmless block more", plan(memories.with({2, Block::R, Block::R})),
              false);
  }
  cell.row = judge("", "", "", grade, entries, effect, controls, engine.exact() ? "" : "raise verify.work");
  cell.row.series.push_back(roles_series(found, own.threshold));
  return cell;
}

}  // namespace popgrad
