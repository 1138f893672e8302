// Weighted sums over the orbits of a task, and the population averages that they are. Internal to numerics.
#pragma once
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/minimal_task.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/orbit_gradient.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {

// The hypotheses of every sum over orbits; N and T are those of the maps.
inline void check_orbits(const MinimalTask& task, int N, int T) {
  task.validate();
  require(task.output_weights.empty(), "orbit_descent", "labels", "uniform", "weighted");
  require(N == task.N && T == task.T, "orbit_descent", "maps",
          "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(N) + ", T = " + std::to_string(T));
  if (task.T > longest_orbits)
    throw InputError("-T", std::to_string(task.T), "at most " + std::to_string(longest_orbits) + " for sums over orbits");
}

// By number of classes: P(one labelling and one place of the first trigger) times the number of labellings,
// N (N-1) ... (N-m+1) / (lengths N^2 (L-2) b^(L-3)), b the number of background tokens.
template <class S>
std::vector<S> orbit_weights(const MinimalTask& task, int length) {
  const auto whole = [](int n) { return from_integer<S>(n); };
  S one = S(1) / (whole(task.T - task.shortest() + 1) * whole(task.N) * whole(task.N) * whole(length - 2));
  for (int i = 0; i < length - 3; ++i) one = one / whole(task.background == Background::any ? task.N : task.N - 1);
  std::vector<S> weight = {one};
  for (int m = 1; m <= length; ++m) weight.push_back(weight.back() * whole(task.N - m + 1));
  return weight;
}

// visit(pass, orbit, weight, sums) for every orbit of every length; make_pass() once a part of the orbits.
template <class S, class MakePass, class Visit>
OrbitSums<S> sum_over_orbits(const MinimalTask& task, const MakePass& make_pass, const Visit& visit) {
  OrbitSums<S> total(task.T);
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Orbits orbits(task.N, task.background, length);
    const std::vector<S> weight = orbit_weights<S>(task, length);
    const auto body = [&](std::int64_t part, OrbitSums<S>& sums) {
      auto pass = make_pass();
      orbits.visit(part,
                   [&](const Orbit& orbit) { visit(pass, orbit, weight[static_cast<std::size_t>(orbit.classes)], sums); });
    };
    total += ordered_sum(orbits.parts(), 1, OrbitSums<S>(task.T), body, 512);
  }
  return total;
}

// Sums over all sequences, each with its probability, as the blocks of a population gradient: token blocks divided by N.
template <class S>
InvariantMaps<S> averaged(const OrbitSums<S>& sums, int N, int T, const Wanted& wanted) {
  InvariantMaps<S> descent(N, T);
  const auto set_token_token = [N](InvariantBlock<S>& block, const S& diagonal_sum) {
    block.diag = diagonal_sum / from_integer<S>(N);
    block.off = -block.diag / from_integer<S>(N - 1);
  };
  const auto set_by_position = [N](InvariantBlock<S>& block, const std::vector<S>& sum_over_tokens) {
    for (std::size_t t = 0; t < sum_over_tokens.size(); ++t) block.entries[t] = sum_over_tokens[t] / from_integer<S>(N);
  };
  if (wanted.wo) {
    set_token_token(descent.u(Block::E), sums.ue);
    set_token_token(descent.u(Block::R), sums.ur);
  }
  if (wanted.wk2) {
    set_token_token(descent.k2(Block::E, Block::E), sums.ee);
    set_token_token(descent.k2(Block::E, Block::R), sums.er);
    set_token_token(descent.k2(Block::R, Block::E), sums.re);
    set_token_token(descent.k2(Block::R, Block::R), sums.rr);
    for (const Block query : {Block::E, Block::R}) {
      set_by_position(descent.k2(query, Block::P), sums.ep);
      set_by_position(descent.k2(query, Block::S), sums.es);
    }
    descent.k2(Block::P, Block::P).entries = sums.pp;
    descent.k2(Block::P, Block::S).entries = sums.ps;
    descent.k2(Block::S, Block::P).entries = sums.sp;
    descent.k2(Block::S, Block::S).entries = sums.ss;
  }
  if (wanted.wk1) {
    set_token_token(descent.k1(Block::E, Block::E), sums.first_ee);
    set_by_position(descent.k1(Block::E, Block::P), sums.first_ep);
    descent.k1(Block::P, Block::P).entries = sums.first_pp;
  }
  return descent;
}

}  // namespace popgrad
