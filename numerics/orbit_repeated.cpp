#include "numerics/orbit_repeated.hpp"

#include "core/stages.hpp"
#include "numerics/orbit_sum.hpp"

namespace popgrad {

InvariantMaps<double> repeated_output_descent(const MinimalTask& task, const InvariantMaps<double>& maps, int stage) {
  require(stage >= 1 && stage <= stages, "repeated_output_descent", "stage", "1, 2 or 3", std::to_string(stage));
  check_orbits(task, maps.N, maps.T);
  const Wanted wanted{stage == 1, stage == 2, stage == 3};
  const auto visit = [&](OrbitPass<double>& pass, const Orbit& orbit, double weight, OrbitSums<double>& sums) {
    Orbit repeated = orbit;  // only the places of the first trigger whose output is of the last token's class
    const auto trigger = static_cast<std::size_t>(orbit.token.back());
    repeated.label.assign(repeated.label.size(), 0);
    repeated.label[trigger] = repeated.triggers = orbit.label[trigger];
    if (repeated.triggers > 0) pass.add_descent(repeated, weight, wanted, sums);
  };
  return averaged(sum_over_orbits<double>(
                      task, [&] { return OrbitPass<double>(maps); }, visit),
                  task.N, task.T, wanted);
}

}  // namespace popgrad
