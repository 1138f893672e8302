// T3.end: what three actual steps reach with isolated blocks.
#include <fmt/format.h>

#include <cmath>

#include "check/entry.hpp"
#include "check/statistics.hpp"
#include "numerics/step_map.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_end_parts.hpp"

namespace popgrad {
namespace {

constexpr std::int64_t samples = 8000, gradient_samples = 16000;  // where T > 9
constexpr const char* more = "raise verify.work";

Grade grade_of(const Construction& construction) { return construction.exact() ? Grade::enumerated : Grade::sampled; }

// Every row t of (P,P) moved one key to the right: the memory of t instead of t - 1.
InvariantMaps<double> shift_keys(InvariantMaps<double> maps) {
  auto& entries = maps.k1(Block::P, Block::P).entries;
  const auto T = static_cast<std::size_t>(maps.T);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = T; s-- > 0;) entries[t * T + s] = s == 0 ? entries[t * T + t] : entries[t * T + s - 1];
  return maps;
}

// Multiples of the units of the step sizes.
StageSizes times(const StageSizes& unit, double a, double b, double c) { return {a * unit.first, b * unit.second, c * unit.third}; }

// Success of isolated steps over a grid, for the figure.
Series map_series(const Construction& construction, double level) {
  StepAxes axes{{1, 3}, geometric(0.1, 1000, 9), geometric(0.1, 1000, 9), construction.unit_sizes()};
  const StepMap map = map_steps(construction, axes);
  Series series{"step_sizes",
                {"eta1 / unit", "eta2 / unit", "eta3 / unit", "accuracy after 1 step", "accuracy after 2 steps", "accuracy after 3 steps",
                 "standard error of the last", "success above"},
                {}};
  for (std::size_t number = 0; number < map.after_three.size(); ++number) {
    const StepMap::Cell at = map.cell(number);
    const Answer& three = map.after_three[number];
    series.rows.push_back({axes.first[at.i], axes.second[at.j], axes.third[at.k], map.after_one[at.i].accuracy,
                           map.after_two[at.i * axes.second.size() + at.j].accuracy, three.accuracy, three.error, level});
  }
  return series;
}

}  // namespace

double end_level(const MinimalTask& task) {
  const Rational top = task.background == Background::any ? best_accuracy(task) : perfect_head_exact(task, SharperLayer::second_layer);
  return (1.0 / task.N + to_double(top)) / 2;
}

Entry above_level(const std::string& name, bool expected, const Answer& measured, double level, double family_level, int comparisons) {
  const double gap = measured.accuracy - level;
  // Probabilities of all kinds of sequences, each a product of a few factors, add up to 1.
  const double error = measured.exact ? roundoff_bound(static_cast<double>(measured.samples) + 64, 1)
                                      : family_z(family_level, comparisons) * measured.error;
  Budget undecided_part;
  (measured.exact ? undecided_part.roundoff : undecided_part.sampling) = 1;
  const double predicted = expected ? 1 : 0;
  if (std::abs(gap) <= error) return entry(name, predicted, 0.5, undecided_part, true);
  return entry(name, predicted, gap > 0 ? 1 : 0, Budget{}, true);
}

Row end_isolated(const MinimalTask& task, const ClaimContext& context) {
  const Construction construction(task, Handoff::actual, Blocks::isolated, end_options(context, samples, gradient_samples));
  const StageSizes sizes = times(construction.unit_sizes(), 1, 3, 10);
  const double level = end_level(task);
  const int replicates = construction.exact() ? 1 : 3;
  // Three statements a replicate, each with gradients and sequences of its own.
  const auto against = [&](const std::vector<std::array<Answer, 4>>& found) {
    std::vector<Entry> list;
    for (int replicate = 0; replicate < replicates; ++replicate)
      for (int stage = 1; stage <= stages; ++stage)
        list.push_back(above_level(fmt::format("after {} steps above {:.3f}{}", stage, level,
                                               replicates > 1 ? fmt::format(", replicate {}", replicate + 1) : ""),
                                   stage == 3, found[static_cast<std::size_t>(replicate)][static_cast<std::size_t>(stage)], level,
                                   context.level, 3 * replicates));
    return list;
  };
  std::vector<MapsAfterSteps> maps;
  for (int replicate = 0; replicate < replicates; ++replicate) maps.push_back(construction.after_steps(sizes, replicate));
  const auto judged = [&](const auto& third_map) {
    std::vector<std::array<Answer, 4>> found;
    for (int replicate = 0; replicate < replicates; ++replicate) {
      const MapsAfterSteps& own = maps[static_cast<std::size_t>(replicate)];
      found.push_back({Answer{}, construction.answer(own[1], replicate), construction.answer(own[2], replicate),
                       construction.answer(third_map(own), replicate)});
    }
    return found;
  };
  const auto measured = judged([](const MapsAfterSteps& own) { return own[3]; });
  const auto with = [&](double third) {
    return against(judged([&](const MapsAfterSteps& own) {
      InvariantMaps<double> changed = own[2];
      changed.add(third, isolate(own[3], 3));
      return changed;
    }));
  };
  const std::vector<Control> controls = {
      {"eta3 = 0", "no third step", [&] { return with(0); }},
      {"eta3 < 0", "the third step upwards", [&] { return with(-1); }},
      {"position shifted", "the third step recalls t in row t instead of t - 1",
       [&] { return against(judged([](const MapsAfterSteps& own) { return shift_keys(own[3]); })); }},
      {"no W_K2", "the second step taken back after the third",
       [&] {
         return against(judged([](const MapsAfterSteps& own) {
           InvariantMaps<double> changed = own[1];
           changed.add(1, isolate(own[3], 3));
           return changed;
         }));
       }},
      {"W_O reversed", "the first step taken back twice after the third", [&] {
         return against(judged([](const MapsAfterSteps& own) {
           InvariantMaps<double> changed = own[3];
           changed.add(-2, isolate(own[1], 1));
           return changed;
         }));
       }}};
  Row row = judge("T3.end", "isolated, three steps", task.describe(), grade_of(construction), against(measured), 0.5, controls,
                  construction.exact() ? "" : more);
  std::string reached = fmt::format("; accuracy {:.4f}, {:.4f}, {:.4f} after 1, 2, 3 steps of 1, 3, 10 units", measured[0][1].accuracy,
                                    measured[0][2].accuracy, measured[0][3].accuracy);
  row.reason += reached;
  if (construction.exact()) row.series.push_back(map_series(construction, level));
  return row;
}

}  // namespace popgrad
