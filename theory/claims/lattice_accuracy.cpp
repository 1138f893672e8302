#include "theory/claims/lattice_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/invariant_probes.hpp"

namespace popgrad {
namespace {

double widest_row(const InvariantMaps<double>& maps) {
  double widest = 0;
  for (int t = 1; t < maps.T - 1; ++t) {
    const auto row = maps.k1(Block::P, Block::P).entries.begin() + t * maps.T;
    const auto [low, high] = std::minmax_element(row, row + t + 1);
    widest = std::max(widest, *high - *low);
  }
  return widest;
}

// What the head sees of the memory block after a step of size 1, in magnitude.
double seen(const InvariantMaps<double>& step, int stage) {
  if (stage == 1) return std::abs(step.u(Block::E).contrast());
  return stage == 2 ? std::abs(step.k2(Block::E, Block::R).contrast()) : widest_row(step);
}

// Sizes at which the head sees the targets, or the fixed size alone. A signal that cancels in rationals leaves rounding
// errors in doubles.
std::vector<std::pair<double, double>> sizes_of(const InvariantMaps<double>& step, int stage,
                                                const std::vector<double>& targets, const std::optional<double>& fixed) {
  const double signal = seen(step, stage);
  if (fixed) return {{*fixed * signal, *fixed}};
  if (!(signal > 1e-12 * largest_entry(step))) return {{0, 0}};
  std::vector<std::pair<double, double>> sizes;
  for (const double target : targets) sizes.push_back({target, target / signal});
  return sizes;
}

class Steps {
 public:
  Steps(const Construction& engine, const StepPlan& plan)
      : engine_(engine), plan_(plan), memories_(invariant_memories<double>(engine.task().N, engine.task().T)) {}

  InvariantMaps<double> step(int stage, const InvariantMaps<double>& start) const {
    return plan_.kept.of(engine_.step(stage, start));
  }
  InvariantMaps<double> after(int stage, InvariantMaps<double> start, double size, const InvariantMaps<double>& step) const {
    return start.add(plan_.sign[static_cast<std::size_t>(stage - 1)] * size, step);
  }
  // Where the next stage starts: as actual steps leave it, or with the memory in place of the step.
  InvariantMaps<double> handed_on(int stage, InvariantMaps<double> start, double size,
                                  const InvariantMaps<double>& step) const {
    if (plan_.handoff == Handoff::actual) return after(stage, std::move(start), size, step);
    return start.add(plan_.sign[static_cast<std::size_t>(stage - 1)] * size, isolate(memories_, stage));
  }
  // Of a memory handed on, the contrast is the size itself.
  std::vector<std::pair<double, double>> handed_sizes(int stage, const InvariantMaps<double>& step,
                                                      const std::vector<double>& targets,
                                                      const std::optional<double>& fixed) const {
    if (plan_.handoff == Handoff::actual) return sizes_of(step, stage, targets, fixed);
    std::vector<std::pair<double, double>> sizes;
    if (fixed) return {{*fixed, *fixed}};
    for (const double target : targets) sizes.push_back({target, target});
    return sizes;
  }

 private:
  const Construction& engine_;
  const StepPlan& plan_;
  InvariantMaps<double> memories_;
};

}  // namespace

double BestAccuracy::without_third() const { return std::max(after[1].answer.accuracy, after[2].answer.accuracy); }

BestAccuracy best_accuracy(const Construction& engine, const StepPlan& plan, const SizeGrid& grid,
                           const std::optional<StageSizes>& fixed) {
  const auto only = [&](double StageSizes::*size) { return fixed ? std::optional<double>((*fixed).*size) : std::nullopt; };
  const Steps steps(engine, plan);
  BestAccuracy best;
  std::array<InvariantMaps<double>, stages + 1> best_maps;
  const InvariantMaps<double> zero(engine.task().N, engine.task().T);
  const InvariantMaps<double> first = steps.step(1, zero);
  // An ideal hand-off sizes the last step by what it does itself, the ones before by the memories they hand on.
  const auto try_end = [&](int stage, const InvariantMaps<double>& start, const InvariantMaps<double>& step,
                           const Reached& so_far, double target, double size) {
    Reached here = so_far;
    (stage == 1 ? here.first : stage == 2 ? here.second : here.third) = target;
    (stage == 1 ? here.sizes.first : stage == 2 ? here.sizes.second : here.sizes.third) = size;
    InvariantMaps<double> maps = steps.after(stage, start, size, step);
    here.answer = engine.answer(maps);
    Reached& best_here = best.after[static_cast<std::size_t>(stage)];
    if (here.answer.accuracy <= best_here.answer.accuracy) return;
    best_here = here;
    best_maps[static_cast<std::size_t>(stage)] = std::move(maps);
  };
  for (const auto& [target, size] : sizes_of(first, 1, grid.first, only(&StageSizes::first)))
    try_end(1, zero, first, {}, target, size);
  for (const auto& [target1, size1] : steps.handed_sizes(1, first, grid.first, only(&StageSizes::first))) {
    const InvariantMaps<double> start2 = steps.handed_on(1, zero, size1, first), second = steps.step(2, start2);
    Reached so_far;
    so_far.first = target1;
    so_far.sizes.first = size1;
    for (const auto& [target, size] : sizes_of(second, 2, grid.second, only(&StageSizes::second)))
      try_end(2, start2, second, so_far, target, size);
    for (const auto& [target2, size2] : steps.handed_sizes(2, second, grid.second, only(&StageSizes::second))) {
      const InvariantMaps<double> start3 = steps.handed_on(2, start2, size2, second), third = steps.step(3, start3);
      so_far.second = target2;
      so_far.sizes.second = size2;
      for (const auto& [target, size] : sizes_of(third, 3, grid.third, only(&StageSizes::third)))
        try_end(3, start3, third, so_far, target, size);
    }
  }
  if (engine.exact()) return best;
  for (std::size_t stage = 1; stage <= stages; ++stage)
    if (best_maps[stage].N > 0) best.after[stage].answer = engine.answer(best_maps[stage], 1);
  return best;
}

InvariantMaps<double> planned_start(const Construction& engine, const StepPlan& plan, int stage, const StageSizes& sizes) {
  const Steps steps(engine, plan);
  const std::array<double, stages> size = {sizes.first, sizes.second, sizes.third};
  InvariantMaps<double> maps(engine.task().N, engine.task().T);
  for (int earlier = 1; earlier < stage; ++earlier) {
    const double here = size[static_cast<std::size_t>(earlier - 1)];
    const InvariantMaps<double> step = steps.step(earlier, maps);
    maps = earlier == stages ? steps.after(earlier, maps, here, step) : steps.handed_on(earlier, maps, here, step);
  }
  return maps;
}

Answer ideal_head_answer(const Construction& engine) {
  InvariantMaps<double> head(engine.task().N, engine.task().T);
  head.add(30, invariant_memories<double>(engine.task().N, engine.task().T));
  return engine.answer(head);
}

double ideal_head_accuracy(const Construction& engine) { return ideal_head_answer(engine).accuracy; }

}  // namespace popgrad
