#include "numerics/ideal_population.hpp"

#include <cmath>

#include "core/ordered_sum.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/minimal_enumeration.hpp"

namespace popgrad {
namespace {

// Sequences a thread takes at a time: enough to hide the clearing of one accumulator, few enough to share small
// enumerations.
constexpr std::int64_t block = 64;

void check(const MinimalTask& task, const Coordinates& at) {
  task.validate();
  require(at.N == task.N && at.T == task.T, "population_descent", "maps",
          "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(at.N) + ", T = " + std::to_string(at.T));
}

// One over the denominator of the probabilities, for each length.
template <class S>
std::vector<S> unit_weights(const MinimalEnumeration& sequences, const MinimalTask& task) {
  std::vector<S> unit(static_cast<std::size_t>(task.T + 1), S(0));
  for (int length = task.shortest(); length <= task.T; ++length) {
    S denominator(1);
    for (const std::int64_t factor : sequences.denominator_factors(length))
      denominator = denominator * from_integer<S>(factor);
    unit[static_cast<std::size_t>(length)] = S(1) / denominator;
  }
  return unit;
}

// P(sequence) = numerator x unit[length]
template <class S>
S weight(const std::vector<S>& unit, const Example& example, std::int64_t numerator) {
  return from_integer<S>(numerator) * unit[example.tokens.size()];
}

}  // namespace

template <class S>
IdealMaps<S> population_descent(const MinimalTask& task, const IdealMaps<S>& maps, const Wanted& wanted) {
  check(task, maps.at);
  const MinimalEnumeration sequences(task);
  const std::vector<S> unit = unit_weights<S>(sequences, task);
  return ordered_sum(sequences.size(), block, IdealMaps<S>(task.N, task.T), [&](std::int64_t i, IdealMaps<S>& descent) {
    Example example;
    std::int64_t numerator = 0;
    sequences.build(i, example, numerator);
    if (numerator != 0) add_descent(maps, example, weight(unit, example, numerator), wanted, descent);
  });
}

double population_loss(const MinimalTask& task, const IdealMaps<double>& maps) {
  check(task, maps.at);
  const MinimalEnumeration sequences(task);
  const std::vector<double> unit = unit_weights<double>(sequences, task);
  return ordered_sum(sequences.size(), block, 0.0, [&](std::int64_t i, double& sum) {
    Example example;
    std::int64_t numerator = 0;
    sequences.build(i, example, numerator);
    const std::vector<double> logits = ideal_logits(maps, example.tokens);
    const double excess = log_mean_exp(logits) - logits[static_cast<std::size_t>(example.targets.front().token)];
    sum += weight(unit, example, numerator) * (excess + std::log(task.N));
  });
}

IdealMaps<RunningError> with_running_error(const IdealMaps<double>& maps) {
  IdealMaps<RunningError> tracked(maps.at.N, maps.at.T);
  tracked.wo.assign(maps.wo.begin(), maps.wo.end());
  tracked.wk2.assign(maps.wk2.begin(), maps.wk2.end());
  tracked.wk1.assign(maps.wk1.begin(), maps.wk1.end());
  return tracked;
}

EnumeratedDescent enumerated_descent(const MinimalTask& task, const IdealMaps<double>& maps, const Wanted& wanted) {
  const IdealMaps<RunningError> sum = population_descent(task, with_running_error(maps), wanted);
  EnumeratedDescent result{IdealMaps<double>(task.N, task.T), IdealMaps<double>(task.N, task.T)};
  const auto split = [](const std::vector<RunningError>& from, std::vector<double>& value, std::vector<double>& error) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      value[i] = from[i].value;
      error[i] = from[i].error;
    }
  };
  split(sum.wo, result.descent.wo, result.roundoff.wo);
  split(sum.wk2, result.descent.wk2, result.roundoff.wk2);
  split(sum.wk1, result.descent.wk1, result.roundoff.wk1);
  return result;
}

#define POPGRAD_INSTANTIATE(S) \
  template IdealMaps<S> population_descent<S>(const MinimalTask&, const IdealMaps<S>&, const Wanted&);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
