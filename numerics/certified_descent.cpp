#include "numerics/certified_descent.hpp"

#include <array>

#include "core/errors.hpp"
#include "numerics/orbit_population.hpp"

namespace popgrad {

InvariantMaps<Interval> enclose(const InvariantMaps<double>& maps) {
  InvariantMaps<Interval> points(maps.N, maps.T);
  const auto copy = [](auto& into, const auto& from) {
    for (std::size_t b = 0; b < from.size(); ++b) {
      into[b].diag = from[b].diag;
      into[b].off = from[b].off;
      into[b].entries.assign(from[b].entries.begin(), from[b].entries.end());
    }
  };
  copy(points.wo, maps.wo);
  copy(points.wk2, maps.wk2);
  copy(points.wk1, maps.wk1);
  return points;
}

InvariantMaps<Interval> certified_descent(const MinimalTask& task, const InvariantMaps<Interval>& maps,
                                          const Wanted& wanted) {
  return orbit_descent(task, maps, wanted);
}

InvariantMaps<Interval> certified_descent(const MinimalTask& task, const InvariantMaps<double>& maps, const Wanted& wanted) {
  return certified_descent(task, enclose(maps), wanted);
}

InvariantMaps<Interval> certified_start(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage,
                                        const StageSizes& sizes) {
  require(stage >= 1 && stage <= stages + 1, "certified_start", "stage", "1 to 4", std::to_string(stage));
  if (handoff == Handoff::ideal)
    return enclose(stage_start(task, handoff, blocks, stage, sizes));  // sizes times ones: no rounding
  const std::array<double, 3> size = {sizes.first, sizes.second, sizes.third};
  InvariantMaps<Interval> maps(task.N, task.T);
  for (int earlier = 1; earlier < stage; ++earlier) {
    const InvariantMaps<Interval> step = certified_descent(task, maps, {earlier == 1, earlier == 2, earlier == 3});
    maps.add(size[static_cast<std::size_t>(earlier - 1)], blocks == Blocks::isolated ? isolate(step, earlier) : step);
  }
  return maps;
}

}  // namespace popgrad
