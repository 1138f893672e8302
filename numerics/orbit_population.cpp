#include "numerics/orbit_population.hpp"

#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/orbit_gradient.hpp"

namespace popgrad {
namespace {

void check(const MinimalTask& task, int N, int T) {
  task.validate();
  require(task.output_weights.empty(), "orbit_descent", "labels", "uniform", "weighted");
  require(N == task.N && T == task.T, "orbit_descent", "maps", "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(N) + ", T = " + std::to_string(T));
  if (task.T > longest_orbits)
    throw InputError("-T", std::to_string(task.T), "at most " + std::to_string(longest_orbits) + " for sums over orbits");
}

// By number of classes: P(one labelling and one place of the first trigger) times the number of labellings,
// N (N-1) ... (N-m+1) / (lengths N^2 (L-2) b^(L-3)), b the number of background tokens.
template <class S>
std::vector<S> weights(const MinimalTask& task, int length) {
  const auto whole = [](int n) { return from_integer<S>(n); };
  S one = S(1) / (whole(task.T - task.shortest() + 1) * whole(task.N) * whole(task.N) * whole(length - 2));
  for (int i = 0; i < length - 3; ++i) one = one / whole(task.background == Background::any ? task.N : task.N - 1);
  std::vector<S> weight = {one};
  for (int m = 1; m <= length; ++m) weight.push_back(weight.back() * whole(task.N - m + 1));
  return weight;
}

// visit(pass, orbit, weight, sums) for every orbit of every length.
template <class S, class Visit>
OrbitSums<S> sum_over_orbits(const MinimalTask& task, const InvariantMaps<S>& maps, const Visit& visit,
                              const Paths& paths = {}) {
  OrbitSums<S> total(task.T);
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Orbits orbits(task.N, task.background, length);
    const std::vector<S> weight = weights<S>(task, length);
    total += ordered_sum(orbits.parts(), 1, OrbitSums<S>(task.T), [&](std::int64_t part, OrbitSums<S>& sums) {
      OrbitPass<S> pass(maps, paths);
      orbits.visit(part, [&](const Orbit& orbit) { visit(pass, orbit, weight[static_cast<std::size_t>(orbit.classes)], sums); });
    }, 512);
  }
  return total;
}

template <class S>
void set_token_token(InvariantBlock<S>& block, const S& diagonal_sum, int N) {
  block.diag = diagonal_sum / from_integer<S>(N);
  block.off = -block.diag / from_integer<S>(N - 1);
}

template <class S>
void set_by_position(InvariantBlock<S>& block, const std::vector<S>& sum_over_tokens, int N) {
  for (std::size_t t = 0; t < sum_over_tokens.size(); ++t) block.entries[t] = sum_over_tokens[t] / from_integer<S>(N);
}

template <class S>
InvariantMaps<S> averaged(const OrbitSums<S>& sums, int N, int T, const Wanted& wanted) {
  InvariantMaps<S> descent(N, T);
  if (wanted.wo) {
    set_token_token(descent.u(Block::E), sums.ue, N);
    set_token_token(descent.u(Block::R), sums.ur, N);
  }
  if (wanted.wk2) {
    set_token_token(descent.k2(Block::E, Block::E), sums.ee, N);
    set_token_token(descent.k2(Block::E, Block::R), sums.er, N);
    set_token_token(descent.k2(Block::R, Block::E), sums.re, N);
    set_token_token(descent.k2(Block::R, Block::R), sums.rr, N);
    for (const Block query : {Block::E, Block::R}) {
      set_by_position(descent.k2(query, Block::P), sums.ep, N);
      set_by_position(descent.k2(query, Block::S), sums.es, N);
    }
    descent.k2(Block::P, Block::P).entries = sums.pp;
    descent.k2(Block::P, Block::S).entries = sums.ps;
    descent.k2(Block::S, Block::P).entries = sums.sp;
    descent.k2(Block::S, Block::S).entries = sums.ss;
  }
  if (wanted.wk1) {
    set_token_token(descent.k1(Block::E, Block::E), sums.first_ee, N);
    set_by_position(descent.k1(Block::E, Block::P), sums.first_ep, N);
    descent.k1(Block::P, Block::P).entries = sums.first_pp;
  }
  return descent;
}

}  // namespace

template <class S>
InvariantMaps<S> orbit_descent(const MinimalTask& task, const InvariantMaps<S>& maps, const Wanted& wanted, const Paths& paths) {
  check(task, maps.N, maps.T);
  const OrbitSums<S> sums = sum_over_orbits(task, maps, [&](OrbitPass<S>& pass, const Orbit& orbit, const S& weight, OrbitSums<S>& into) {
    pass.add_descent(orbit, weight, wanted, into);
  }, paths);
  return averaged(sums, task.N, task.T, wanted);
}

InvariantLoss orbit_loss(const MinimalTask& task, const InvariantMaps<double>& maps) {
  check(task, maps.N, maps.T);
  const OrbitSums<double> sums =
      sum_over_orbits(task, maps, [&](OrbitPass<double>& pass, const Orbit& orbit, double weight, OrbitSums<double>& into) {
        pass.evaluate(orbit, weight, into);
      });
  return {sums.loss + std::log(task.N), sums.accuracy, sums.margin, sums.rows, sums.ties};
}

#define POPGRAD_INSTANTIATE(S) \
  template InvariantMaps<S> orbit_descent<S>(const MinimalTask&, const InvariantMaps<S>&, const Wanted&, const Paths&);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
