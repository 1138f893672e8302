#include "numerics/onset.hpp"

#include <string>

#include "core/errors.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/onset_recursion.hpp"

namespace popgrad {

std::vector<InvariantMaps<Rational>> onset_coefficients(const MinimalTask& task, const FlowRule& rule, int order) {
  require(order >= 1 && order <= highest_onset_order, "onset_coefficients", "order", "1 .. 4", std::to_string(order));
  task.validate();
  return onset_recursion<RationalSeries3, Rational>(task, rule, order);
}

template <class S>
S position_signal(const InvariantBlock<S>& block, int T, int t) {
  require(t >= 4 && t < T, "position_signal", "t", "4 .. T-1", std::to_string(t));
  require(block.entries.size() == static_cast<std::size_t>(T) * static_cast<std::size_t>(T), "position_signal", "block", "T x T entries",
          std::to_string(block.entries.size()));
  const auto at = [&](int s) -> const S& { return block.entries[static_cast<std::size_t>((t - 1) * T + s - 1)]; };
  S others(0);
  for (int j = 2; j <= t - 2; ++j) others += at(j);
  return at(t - 1) - others / from_integer<S>(t - 3);
}

#define POPGRAD_INSTANTIATE(S) template S position_signal<S>(const InvariantBlock<S>&, int, int);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
