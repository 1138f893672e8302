#include "numerics/flow_roundoff.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/orbits.hpp"

namespace popgrad {
namespace {

constexpr double u = 0x1p-53;

double largest(const InvariantBlock<double>& block) {
  double most = std::abs(block.contrast());
  for (const double x : block.entries) most = std::max(most, std::abs(x));
  return most;
}

int reads_layer1(Block block) { return block == Block::R || block == Block::S ? 1 : 0; }

// Sizes of what enters a forward pass, and the relative errors of what comes out.
struct Sizes {
  double first_scores, scores, value, layer1;  // S1, S2, G, Q
  double value_r;                              // |(U,R)|
  double attention1, attention2, guess;        // e1, e2, e3
};

Sizes sizes_of(const InvariantMaps<double>& maps) {
  Sizes s{};
  const auto k2 = [&](Block query, Block key) { return largest(maps.k2(query, key)); };
  s.first_scores = largest(maps.k1(Block::E, Block::E)) + largest(maps.k1(Block::E, Block::P)) + largest(maps.k1(Block::P, Block::P));
  for (const Block query : all_blocks)
    for (const Block key : all_blocks) {
      s.scores += k2(query, key);
      s.layer1 += (reads_layer1(query) + reads_layer1(key)) * k2(query, key);
    }
  s.value_r = std::abs(maps.u(Block::R).contrast());
  s.value = std::abs(maps.u(Block::E).contrast()) + s.value_r;
  const double L = maps.T;
  s.attention1 = (L + 8 + 8 * s.first_scores) * u;
  s.attention2 = 2 * (s.layer1 * s.attention1 + s.scores * 3 * L * u) + (L + 8) * u;
  s.guess = 2 * s.value * (s.attention1 + s.attention2 + 2 * L * u) + (L + 8) * u;
  return s;
}

}  // namespace

MapRoundoff descent_roundoff(const MinimalTask& task, const InvariantMaps<double>& maps) {
  const Sizes s = sizes_of(maps);
  double orbits = 0;
  for (int length = task.shortest(); length <= task.T; ++length) orbits += partition_count(length, task.N);
  const double relative = 3 * s.attention1 + s.attention2 + s.guess + (orbits + 6 * maps.T + 20) * u;
  return {2 * relative, 2 * s.value * relative, 2 * (s.value_r + 2 * s.value * s.layer1) * relative};
}

double logit_roundoff(const MinimalTask& task, const InvariantMaps<double>& maps, const MapRoundoff& known) {
  const Sizes s = sizes_of(maps);
  // A score of layer 1 adds up three entries and a contrast is two; attention moves relatively by twice its scores, and a score of layer 2 by
  // Q times what attention 1 does.
  const double first = s.attention1 + 2 * 6 * known.wk1, second = s.attention2 + 2 * (s.layer1 * 2 * 6 * known.wk1 + 24 * known.wk2);
  return s.value * (first + second + 2 * task.T * u) + 4 * known.wo;
}

}  // namespace popgrad
