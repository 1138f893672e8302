// T3.end: what three actual steps reach with all of their blocks, against isolated ones of the same sizes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "numerics/step_map.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_end_parts.hpp"

namespace popgrad {
namespace {

// Multiples of the units of the steps. With all blocks the best second step is much smaller than its unit, because the other blocks
// of W_K2 are larger than (E,R). Sampled accuracies and gradients get fewer sizes, for time.
StepAxes grid(const Construction& construction) {
  if (construction.exact())
    return {{0.3, 1, 3}, {0.01, 0.03, 0.1, 0.3, 1, 3, 10}, {0.3, 1, 3, 10, 30, 100, 300}, construction.unit_sizes()};
  return {{0.3, 1, 3}, {0.03, 0.3, 3}, {1, 10, 100}, construction.unit_sizes()};
}

struct Cell {
  std::string name;
  Answer answer;
};

// alone[m]: of the step of stage m only the memory block is taken.
std::vector<Cell> cells(const Construction& from, const StepAxes& axes, std::array<bool, 4> alone) {
  const auto step = [&](int stage, const InvariantMaps<double>& at) {
    const InvariantMaps<double> all = from.step(stage, at);
    return alone[static_cast<std::size_t>(stage)] ? isolate(all, stage) : all;
  };
  std::vector<Cell> list;
  const InvariantMaps<double> zero(from.task().N, from.task().T), one = step(1, zero);
  for (const double a : axes.first) {
    InvariantMaps<double> after_one = zero;
    after_one.add(a * axes.unit.first, one);
    const InvariantMaps<double> two = step(2, after_one);
    for (const double b : axes.second) {
      InvariantMaps<double> after_two = after_one;
      after_two.add(b * axes.unit.second, two);
      const InvariantMaps<double> three = step(3, after_two);
      for (const double c : axes.third) {
        InvariantMaps<double> after_three = after_two;
        after_three.add(c * axes.unit.third, three);
        list.push_back({fmt::format("({}, {}, {}) units", a, b, c), from.answer(after_three)});
      }
    }
  }
  return list;
}

const Cell& best(const std::vector<Cell>& list) {
  return *std::ranges::max_element(list, {}, [](const Cell& cell) { return cell.answer.accuracy; });
}

}  // namespace

Row end_full(const MinimalTask& task, const ClaimContext& context) {
  const Construction construction(task, Handoff::actual, Blocks::full, end_options(context, 2000, 8000));
  const Construction memories(task, Handoff::ideal, Blocks::full, construction.options());
  const StepAxes axes = grid(construction), of_memories{axes.first, axes.second, axes.third, memories.unit_sizes()};
  const std::vector<Cell> full = cells(construction, axes, {}), isolated = cells(construction, axes, {false, true, true, true});
  const double reached = best(isolated).answer.accuracy, level = end_full_share * reached;
  const auto against = [&](const std::vector<Cell>& found) {
    std::vector<Entry> list;
    for (const Cell& cell : found)
      list.push_back(above_level(fmt::format("{} above {:.3f}", cell.name, level), false, cell.answer, level, context.level,
                                 static_cast<int>(found.size())));
    return list;
  };
  const std::vector<Control> controls = {
      {"(E,R) alone", "of the second step only (E,R) is taken, of the others all",
       [&] { return against(cells(construction, axes, {false, false, true, false})); }},
      {"(U,E) and (E,R) alone", "of the first and second step only the memory blocks, of the third all",
       [&] { return against(cells(construction, axes, {false, true, true, false})); }},
      {"isolated", "of all three steps only the memory blocks", [&] { return against(isolated); }},
      {"memories", "the memories themselves, of these sizes", [&] { return against(cells(memories, of_memories, {})); }}};
  // The predictions are zero: there is no signal to take ten per cent of.
  Row row = judge("T3.end", "full blocks fall short", task.describe(), construction.exact() ? Grade::enumerated : Grade::sampled,
                  against(full), 0.5, controls, construction.exact() ? "" : "raise verify.work");
  row.reason += fmt::format("; largest accuracy {:.4f} at {} with all blocks, {:.4f} at {} with isolated ones", best(full).answer.accuracy,
                            best(full).name, reached, best(isolated).name);
  return row;
}

}  // namespace popgrad
