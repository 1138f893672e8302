#include "numerics/finite_population.hpp"

#include <string>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/minimal_enumeration.hpp"

namespace popgrad {

TrainedMaps population_gradient(const FiniteModel& model, const MinimalTask& task) {
  require(model.N() == task.N && model.T() == task.T, "population_gradient", "model", "of the task's N and T",
          "N=" + std::to_string(model.N()) + " T=" + std::to_string(model.T()));
  const MinimalEnumeration all(task);
  const int d = model.d();
  // One gradient per sequence is scaled into the block's sum; blocks are few because each holds four d x d maps.
  return ordered_sum(
      all.size(), 16, TrainedMaps::zero(d),
      [&](std::int64_t index, TrainedMaps& total) {
        Example example;
        std::int64_t numerator = 0;
        all.build(index, example, numerator);
        if (numerator == 0) return;
        double weight = static_cast<double>(numerator);
        for (const std::int64_t factor : all.denominator_factors(static_cast<int>(example.tokens.size())))
          weight /= static_cast<double>(factor);
        TrainedMaps one = TrainedMaps::zero(d);
        add_gradient(model, example, one);
        for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) total.at(map) += weight * one.at(map);
      },
      4);
}

}  // namespace popgrad
