#include "numerics/orbit_population.hpp"

#include <cmath>

#include "numerics/ideal_scalars.hpp"
#include "numerics/orbit_sum.hpp"

namespace popgrad {
template <class S>
InvariantMaps<S> orbit_descent(const MinimalTask& task, const InvariantMaps<S>& maps, const Wanted& wanted,
                               const Paths& paths) {
  check_orbits(task, maps.N, maps.T);
  const auto add = [&](OrbitPass<S>& pass, const Orbit& orbit, const S& weight, OrbitSums<S>& into) {
    pass.add_descent(orbit, weight, wanted, into);
  };
  const OrbitSums<S> sums = sum_over_orbits<S>(
      task, [&] { return OrbitPass<S>(maps, paths); }, add);
  return averaged(sums, task.N, task.T, wanted);
}

InvariantLoss orbit_loss(const MinimalTask& task, const InvariantMaps<double>& maps, double roundoff) {
  check_orbits(task, maps.N, maps.T);
  const auto add = [roundoff](OrbitPass<double>& pass, const Orbit& orbit, double weight, OrbitSums<double>& into) {
    pass.evaluate(orbit, weight, 2 * roundoff, into);
  };
  const OrbitSums<double> sums = sum_over_orbits<double>(
      task, [&] { return OrbitPass<double>(maps); }, add);
  return {sums.loss + std::log(task.N), sums.accuracy, sums.margin, sums.rows, sums.ties};
}

#define POPGRAD_INSTANTIATE(S) \
  template InvariantMaps<S> orbit_descent<S>(const MinimalTask&, const InvariantMaps<S>&, const Wanted&, const Paths&);
POPGRAD_FOR_ORBIT_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
