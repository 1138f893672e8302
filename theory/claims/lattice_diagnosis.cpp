#include "theory/claims/lattice_diagnosis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "check/statistics.hpp"

namespace popgrad {
namespace {

std::vector<ScoreShare> shares_at(const Construction& engine, const LatticeOptions& options,
                                  const InvariantMaps<double>& maps) {
  return engine.exact() ? score_shares(engine.task(), maps)
                        : sampled_score_shares(engine.task(), maps, options.samples, options.seed);
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Budget threshold_budget(const Attempt& made, double level, double comparisons) {
  const Answer& last = made.accuracy.after[3].answer;
  if (last.exact) return {roundoff_bound(static_cast<double>(last.samples) + 20, 1), 0, 0};
  // The threshold is half of the accuracy without the third step and half of the ideal head's.
  double before = 0;
  for (const std::size_t stage : {std::size_t{1}, std::size_t{2}})
    before = std::max(before, made.accuracy.after[stage].answer.error);
  return {0, 0, family_z(level, comparisons) * std::hypot(last.error, before / 2, made.ideal_error / 2)};
}

Entry threshold_entry(const std::string& what, const Attempt& made, bool forms, double level, double comparisons) {
  Entry e = entry(what + (forms ? ": at least" : ": below"), made.threshold, made.with_third(),
                  threshold_budget(made, level, comparisons), true);
  e.difference = forms ? std::min(0.0, made.margin()) : std::max(0.0, made.margin());
  return e;
}

double comparisons_of(const LatticeOptions& options, std::size_t entries) {
  return static_cast<double>(entries * (options.sizes ? 1 : options.grid.cells()));
}

Attempt attempt(const Construction& engine, const StepPlan& plan, const LatticeOptions& options, double ideal_head) {
  Attempt made;
  made.accuracy = best_accuracy(engine, plan, options.grid, options.sizes);
  made.threshold = (std::max(made.accuracy.without_third(), 1.0 / engine.task().N) + ideal_head) / 2;
  if (!engine.exact()) made.ideal_error = ideal_head_answer(engine).error;
  return made;
}

const BlockRole* Diagnosis::largest() const {
  const auto smaller = [](const BlockRole& a, const BlockRole& b) { return a.factor < b.factor; };
  const auto found = std::max_element(roles.begin(), roles.end(), smaller);
  return found == roles.end() ? nullptr : &*found;
}

Diagnosis diagnose(const Construction& engine, const LatticeSwitches& switches, const LatticeOptions& options,
                   double ideal_head, const StageSizes& sizes) {
  Diagnosis found;
  if (switches.blocks == Blocks::isolated) return found;
  const KeptBlocks all(Blocks::full), memories(Blocks::isolated);
  const StepPlan plan{switches.handoff, all, {1, 1, 1}};
  const auto kept_at = [&](const KeptBlocks& kept) {
    return attempt(engine, {switches.handoff, kept, {1, 1, 1}}, options, ideal_head);
  };
  const std::vector<ScoreShare> before = shares_at(engine, options, planned_start(engine, plan, 3, sizes));
  const std::vector<ScoreShare> after = shares_at(engine, options, planned_start(engine, plan, 4, sizes));
  for (const MapBlock& block : acting_blocks()) {
    if (block == memory_block(block.stage)) continue;
    // (R,P) and (R,S) have the entries of (E,P) and (E,S) and do the same: both queries have unit mass.
    if (block.stage == 2 && block.query == Block::R && !is_token(block.key)) continue;
    const double factor = overwhelming_factor(block.stage == 3 ? after : before, block);
    if (factor == 0) continue;  // an ideal hand-off has no such block
    options.progress(switches.describe() + ", ablation of " + name(block));
    found.roles.push_back({block, factor, kept_at(all.without(block)), kept_at(memories.with(block))});
  }
  KeptBlocks kept = all;
  for (int round = 0; round < most_removed && !found.restored() && found.removed.size() < found.roles.size(); ++round) {
    std::optional<std::pair<Attempt, MapBlock>> best;
    for (const BlockRole& role : found.roles) {
      if (!kept.has(role.block)) continue;
      const Attempt tried = round == 0 ? role.without : kept_at(kept.without(role.block));
      if (!best || tried.margin() > best->first.margin()) best = {tried, role.block};
    }
    kept = kept.without(best->second);
    found.removed.push_back(best->second);
    found.without_removed = best->first;
  }
  // What a later removal made unnecessary is put back.
  if (found.restored())
    for (std::size_t i = 0; found.removed.size() > 1 && i + 1 < found.removed.size();) {
      const Attempt tried = kept_at(kept.with(found.removed[i]));
      if (!tried.forms()) {
        ++i;
        continue;
      }
      kept = kept.with(found.removed[i]);
      found.removed.erase(found.removed.begin() + static_cast<std::ptrdiff_t>(i));
      found.without_removed = tried;
    }
  return found;
}

std::string describe(const Diagnosis& diagnosis) {
  const BlockRole* largest = diagnosis.largest();
  if (largest == nullptr) return "no block: the memory blocks alone fail";
  const auto factor_of = [&](const MapBlock& block) {
    for (const BlockRole& role : diagnosis.roles)
      if (role.block == block) return role.factor;
    return 0.0;
  };
  std::vector<std::string> removed, spoilers;
  for (const MapBlock& block : diagnosis.removed)
    removed.push_back(fmt::format("{} x {:.3g}", name(block), factor_of(block)));
  for (const BlockRole& role : diagnosis.roles)
    if (!role.alone.forms())
      spoilers.push_back(
          fmt::format("{} x {:.3g} (accuracy {:.3f})", name(role.block), role.factor, role.alone.with_third()));
  std::string text =
      diagnosis.restored()
          ? fmt::format("forms without {} (accuracy {:.3f})", listed(removed), diagnosis.without_removed.with_third())
          : fmt::format("no {} blocks whose removal restores it were found (best: without {}, accuracy {:.3f})",
                        removed.size(), listed(removed), diagnosis.without_removed.with_third());
  text += spoilers.empty() ? "; no block alone spoils the memory blocks"
                           : "; each alone spoils the memory blocks: " + listed(spoilers);
  text += fmt::format("; largest share: {} x {:.3g}, without it accuracy {:.3f}, with it and the memory blocks alone {:.3f}",
                      name(largest->block), largest->factor, largest->without.with_third(), largest->alone.with_third());
  return text;
}

}  // namespace popgrad
