#include "numerics/step_map.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {

StepMap::Cell StepMap::cell(std::size_t number) const {
  const std::size_t thirds = axes.third.size(), seconds = axes.second.size();
  return {number / thirds / seconds, number / thirds % seconds, number % thirds};
}

StageSizes StepMap::sizes(const Cell& cell) const {
  return {axes.first[cell.i] * axes.unit.first, axes.second[cell.j] * axes.unit.second, axes.third[cell.k] * axes.unit.third};
}

StepMap::Cell StepMap::best() const {
  const auto less = [](const Answer& a, const Answer& b) { return a.accuracy < b.accuracy; };
  const auto top = std::max_element(after_three.begin(), after_three.end(), less);
  return cell(static_cast<std::size_t>(top - after_three.begin()));
}

std::size_t StepMap::above(double accuracy) const {
  return static_cast<std::size_t>(
      std::count_if(after_three.begin(), after_three.end(), [&](const Answer& a) { return a.accuracy > accuracy; }));
}

StepMap map_steps(const Construction& construction, const StepAxes& axes,
                  const std::function<void(std::size_t, std::size_t)>& progress) {
  require(!axes.first.empty() && !axes.second.empty() && !axes.third.empty(), "map_steps", "axes", "at least one size each", "none");
  StepMap map{axes, {}, {}, {}};
  const MinimalTask& task = construction.task();
  const InvariantMaps<double> zero(task.N, task.T);
  const InvariantMaps<double> first = construction.step(1, zero);
  for (const double eta1 : axes.first) {
    InvariantMaps<double> one = zero;
    one.add(eta1 * axes.unit.first, first);
    map.after_one.push_back(construction.answer(one));
    const InvariantMaps<double> second = construction.step(2, one);
    for (const double eta2 : axes.second) {
      InvariantMaps<double> two = one;
      two.add(eta2 * axes.unit.second, second);
      map.after_two.push_back(construction.answer(two));
      const InvariantMaps<double> third = construction.step(3, two);
      for (const double eta3 : axes.third) {
        InvariantMaps<double> three = two;
        three.add(eta3 * axes.unit.third, third);
        map.after_three.push_back(construction.answer(three));
      }
      if (progress) progress(map.after_two.size(), axes.first.size() * axes.second.size());
    }
  }
  return map;
}

std::vector<double> geometric(double from, double to, int count) {
  require(from > 0 && to >= from && count >= 1 && (count > 1 || from == to), "geometric", "from, to, count",
          "0 < from <= to, several values unless they are equal",
          std::to_string(from) + ", " + std::to_string(to) + ", " + std::to_string(count));
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(i == count - 1 ? to : from * std::pow(to / from, i / std::max(1.0, count - 1.0)));
  return values;
}

}  // namespace popgrad
