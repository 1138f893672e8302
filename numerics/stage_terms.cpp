#include "numerics/stage_terms.hpp"

#include <array>

#include "core/errors.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/orbit_population.hpp"

namespace popgrad {
namespace {

using Series = RationalSeries2;

Wanted only(int stage) { return {stage == 1, stage == 2, stage == 3}; }

// values * h^order, block by block.
template <std::size_t count>
void place(std::array<InvariantBlock<Series>, count>& into, const std::array<InvariantBlock<Rational>, count>& values, int order) {
  for (std::size_t b = 0; b < count; ++b) {
    into[b].diag = Series::monomial(values[b].diag, order);
    into[b].off = Series::monomial(values[b].off, order);
    for (std::size_t i = 0; i < into[b].entries.size(); ++i) into[b].entries[i] = Series::monomial(values[b].entries[i], order);
  }
}

// The coefficient of h^order of the stage's map.
InvariantMaps<Rational> coefficient(const InvariantMaps<Series>& series, int order) {
  InvariantMaps<Rational> maps(series.N, series.T);
  const auto take = [&](auto& into, const auto& from) {
    for (std::size_t b = 0; b < from.size(); ++b) {
      into[b].diag = from[b].diag[order];
      into[b].off = from[b].off[order];
      for (std::size_t i = 0; i < from[b].entries.size(); ++i) into[b].entries[i] = from[b].entries[i][order];
    }
  };
  take(maps.wo, series.wo);
  take(maps.wk2, series.wk2);
  take(maps.wk1, series.wk1);
  return maps;
}

// What the earlier stages hand on, in units of their sizes: W_O / alpha or eta1, and W_K2 / beta or (eta1 eta2).
struct HandedOn {
  InvariantMaps<Rational> wo, wk2;
};

// W_O at h.
InvariantMaps<Series> with_output(const MinimalTask& task, const HandedOn& handed) {
  InvariantMaps<Series> maps(task.N, task.T);
  place(maps.wo, handed.wo.wo, 1);
  return maps;
}

HandedOn hand_on(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  HandedOn handed{InvariantMaps<Rational>(task.N, task.T), InvariantMaps<Rational>(task.N, task.T)};
  if (handoff == Handoff::ideal) {
    const InvariantMaps<Rational> memories = invariant_memories<Rational>(task.N, task.T);
    handed.wo = isolate(memories, 1);
    handed.wk2 = isolate(memories, 2);
    return handed;
  }
  const auto kept = [&](const InvariantMaps<Rational>& maps, int of) { return blocks == Blocks::isolated ? isolate(maps, of) : maps; };
  handed.wo = kept(orbit_descent(task, InvariantMaps<Rational>(task.N, task.T), only(1)), 1);
  if (stage >= 3) handed.wk2 = kept(coefficient(orbit_descent(task, with_output(task, handed), only(2)), 1), 2);
  return handed;
}

}  // namespace

template <class S>
InvariantMaps<S> isolate(const InvariantMaps<S>& maps, int stage) {
  require(stage >= 1 && stage <= stages, "isolate", "stage", "1, 2 or 3", std::to_string(stage));
  InvariantMaps<S> alone(maps.N, maps.T);
  if (stage == 1) alone.u(Block::E) = maps.u(Block::E);
  if (stage == 2) alone.k2(Block::E, Block::R) = maps.k2(Block::E, Block::R);
  if (stage == 3) alone.k1(Block::P, Block::P) = maps.k1(Block::P, Block::P);
  return alone;
}

// Every map is of order h or more, so p_hat and the attentions are series around the uniform ones. W_K2 enters stage 3 with W_O only, at order
// h^2 when both are of order h, together with the second order in W_O alone: the difference with and without W_K2 is the mixed term.
std::vector<StageTerm> stage_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  require(stage >= 1 && stage <= stages, "stage_terms", "stage", "1, 2 or 3", std::to_string(stage));
  task.validate();
  if (stage == 1) return {{"1", orbit_descent(task, InvariantMaps<Rational>(task.N, task.T), only(1))}};
  const bool ideal = handoff == Handoff::ideal;
  const HandedOn handed = hand_on(task, handoff, blocks, stage);
  InvariantMaps<Series> maps = with_output(task, handed);
  const InvariantMaps<Series> without = orbit_descent(task, maps, only(stage));
  std::vector<StageTerm> terms = {{ideal ? "alpha" : "eta1", coefficient(without, 1)}};
  if (stage == 2) return terms;
  place(maps.wk2, handed.wk2.wk2, 1);
  InvariantMaps<Rational> mixed = coefficient(orbit_descent(task, maps, only(3)), 2);
  mixed.add(Rational(-1), coefficient(without, 2));
  if (!ideal) terms.push_back({"eta1^2", coefficient(without, 2)});
  terms.push_back({ideal ? "alpha*beta" : "eta1^2*eta2", std::move(mixed)});
  return terms;
}

InvariantMaps<double> stage_start(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage, const StageSizes& sizes) {
  require(stage >= 1 && stage <= stages + 1, "stage_start", "stage", "1 to 4", std::to_string(stage));
  task.validate();
  const std::array<double, 3> size = {sizes.first, sizes.second, sizes.third};
  const InvariantMaps<double> memories = invariant_memories<double>(task.N, task.T);
  InvariantMaps<double> maps(task.N, task.T);
  for (int earlier = 1; earlier < stage; ++earlier) {
    InvariantMaps<double> step = handoff == Handoff::ideal ? isolate(memories, earlier) : orbit_descent(task, maps, only(earlier));
    if (blocks == Blocks::isolated) step = isolate(step, earlier);
    maps.add(size[static_cast<std::size_t>(earlier - 1)], step);
  }
  return maps;
}

InvariantMaps<double> in_doubles(const InvariantMaps<Rational>& maps) {
  InvariantMaps<double> result(maps.N, maps.T);
  const auto copy = [](auto& to, const auto& from) {
    for (std::size_t b = 0; b < from.size(); ++b) {
      to[b].diag = to_double(from[b].diag);
      to[b].off = to_double(from[b].off);
      for (std::size_t i = 0; i < from[b].entries.size(); ++i) to[b].entries[i] = to_double(from[b].entries[i]);
    }
  };
  copy(result.wo, maps.wo);
  copy(result.wk2, maps.wk2);
  copy(result.wk1, maps.wk1);
  return result;
}

#define POPGRAD_INSTANTIATE(S) template InvariantMaps<S> isolate<S>(const InvariantMaps<S>&, int);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
