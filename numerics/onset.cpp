#include "numerics/onset.hpp"

#include <string>

#include "core/errors.hpp"
#include "numerics/ideal_scalars.hpp"

namespace popgrad {
namespace {

using Series = RationalSeries3;

// each(series block, rational block) for the blocks of all three maps.
template <class A, class B, class Each>
void with_blocks(A& a, B& b, const Each& each) {
  for (std::size_t i = 0; i < a.wo.size(); ++i) each(a.wo[i], b.wo[i]);
  for (std::size_t i = 0; i < a.wk2.size(); ++i) each(a.wk2[i], b.wk2[i]);
  for (std::size_t i = 0; i < a.wk1.size(); ++i) each(a.wk1[i], b.wk1[i]);
}

InvariantMaps<Rational> coefficient(const InvariantMaps<Series>& series, int order, const Rational& divisor) {
  InvariantMaps<Rational> maps(series.N, series.T);
  with_blocks(series, maps, [&](const InvariantBlock<Series>& from, InvariantBlock<Rational>& into) {
    into.diag = from.diag[order] / divisor;
    into.off = from.off[order] / divisor;
    for (std::size_t i = 0; i < into.entries.size(); ++i) into.entries[i] = from.entries[i][order] / divisor;
  });
  return maps;
}

void set_coefficient(InvariantMaps<Series>& series, int order, InvariantMaps<Rational>& maps) {
  with_blocks(series, maps, [&](InvariantBlock<Series>& into, const InvariantBlock<Rational>& from) {
    into.diag[order] = from.diag;
    into.off[order] = from.off;
    for (std::size_t i = 0; i < into.entries.size(); ++i) into.entries[i][order] = from.entries[i];
  });
}

}  // namespace

std::vector<InvariantMaps<Rational>> onset_coefficients(const MinimalTask& task, const FlowRule& rule, int order) {
  require(order >= 1 && order <= highest_onset_order, "onset_coefficients", "order", "1 .. 4", std::to_string(order));
  task.validate();
  std::vector<InvariantMaps<Rational>> c(1, InvariantMaps<Rational>(task.N, task.T));
  InvariantMaps<Series> theta(task.N, task.T);
  for (int k = 0; k < order; ++k) {
    c.push_back(coefficient(flow_descent(task, theta, rule), k, Rational(k + 1)));
    if (k + 1 < order) set_coefficient(theta, k + 1, c.back());
  }
  return c;
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
