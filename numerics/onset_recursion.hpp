// The recursion for the Taylor coefficients of the flow from zero, in any series. Internal to numerics.
#pragma once
#include <vector>

#include "numerics/flow_rule.hpp"

namespace popgrad {

// each(a's block, b's block) for the blocks of all three maps.
template <class A, class B, class Each>
void with_blocks(A& a, B& b, const Each& each) {
  for (std::size_t i = 0; i < a.wo.size(); ++i) each(a.wo[i], b.wo[i]);
  for (std::size_t i = 0; i < a.wk2.size(); ++i) each(a.wk2[i], b.wk2[i]);
  for (std::size_t i = 0; i < a.wk1.size(); ++i) each(a.wk1[i], b.wk1[i]);
}

// c[0] .. c[order] of theta(t) = sum c[k] t^k: (k+1) c[k+1] = [t^k] flow_descent(theta). Series: power series in t over C that keeps
// t^(order-1) at least.
template <class Series, class C>
std::vector<InvariantMaps<C>> onset_recursion(const MinimalTask& task, const FlowRule& rule, int order) {
  std::vector<InvariantMaps<C>> c(1, InvariantMaps<C>(task.N, task.T));
  InvariantMaps<Series> theta(task.N, task.T);
  for (int k = 0; k < order; ++k) {
    const InvariantMaps<Series> descent = flow_descent(task, theta, rule);
    InvariantMaps<C> next(task.N, task.T);
    with_blocks(descent, next, [&](const InvariantBlock<Series>& from, InvariantBlock<C>& into) {
      into.diag = from.diag[k] / C(k + 1);
      into.off = from.off[k] / C(k + 1);
      for (std::size_t i = 0; i < into.entries.size(); ++i) into.entries[i] = from.entries[i][k] / C(k + 1);
    });
    c.push_back(std::move(next));
    if (k + 1 == order) break;
    with_blocks(theta, c.back(), [&](InvariantBlock<Series>& into, const InvariantBlock<C>& from) {
      into.diag[k + 1] = from.diag;
      into.off[k + 1] = from.off;
      for (std::size_t i = 0; i < into.entries.size(); ++i) into.entries[i][k + 1] = from.entries[i];
    });
  }
  return c;
}

}  // namespace popgrad
