#include "numerics/stage_enumeration.hpp"

#include <string>

#include "core/errors.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/ideal_scalars.hpp"

namespace popgrad {
namespace {

using Terms = std::vector<EnumeratedTerm>;

Wanted only(int stage) { return {stage == 1, stage == 2, stage == 3}; }

// to += h^order * from, entry by entry.
template <class S>
void add_monomial(std::vector<S>& to, const std::vector<Rational>& from, int order) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!is_zero(from[i])) to[i] += S::monomial(from[i], order);
}

template <class S>
std::vector<Rational> coefficient(const std::vector<S>& series, int order) {
  std::vector<Rational> result;
  for (const S& entry : series) result.push_back(entry[order]);
  return result;
}

template <class S>
IdealMaps<Rational> coefficient(const IdealMaps<S>& series, int order) {
  IdealMaps<Rational> result(series.at.N, series.at.T);
  result.wo = coefficient(series.wo, order);
  result.wk2 = coefficient(series.wk2, order);
  result.wk1 = coefficient(series.wk1, order);
  return result;
}

IdealMaps<Rational> difference(IdealMaps<Rational> a, const IdealMaps<Rational>& b) {
  for (std::size_t i = 0; i < a.wk1.size(); ++i) a.wk1[i] -= b.wk1[i];
  return a;
}

// (U,E) of W_O and (E,R) of W_K2 alone.
void isolate_memories(IdealMaps<Rational>& maps) {
  const Coordinates at = maps.at;
  for (int row = 0; row < at.N; ++row)
    for (int column = at.N; column < at.size(); ++column) maps.u(row, column) = 0;
  for (int row = 0; row < at.size(); ++row)
    for (int column = 0; column < at.size(); ++column)
      if (row >= at.N || column < at.first(Block::R) || column >= at.first(Block::R) + at.N) maps.k2(row, column) = 0;
}

// W_O and W_K2 per unit of their sizes; W_K2 to leading order in eta1 when it comes from a step.
IdealMaps<Rational> handed_on(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  IdealMaps<Rational> maps(task.N, task.T);
  if (handoff == Handoff::ideal) {
    maps = ideal_memories<Rational>(task.N, task.T);
    maps.wk1.assign(maps.wk1.size(), Rational(0));
  } else {
    maps.wo = population_descent(task, maps, only(1)).wo;
    if (blocks == Blocks::isolated) isolate_memories(maps);
    if (stage == 3) {
      IdealMaps<RationalSeries1> start(task.N, task.T);
      add_monomial(start.wo, maps.wo, 1);
      maps.wk2 = coefficient(population_descent(task, start, only(2)).wk2, 1);
      if (blocks == Blocks::isolated) isolate_memories(maps);
    }
  }
  return maps;
}

}  // namespace

Terms enumerated_stage_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  require(stage >= 1 && stage <= stages, "enumerated_stage_terms", "stage", "1, 2 or 3", std::to_string(stage));
  task.validate();
  if (stage == 1) return {{"1", population_descent(task, IdealMaps<Rational>(task.N, task.T), only(1))}};
  const IdealMaps<Rational> from = handed_on(task, handoff, blocks, stage);
  const bool ideal = handoff == Handoff::ideal;
  if (stage == 2) {
    IdealMaps<RationalSeries1> start(task.N, task.T);
    add_monomial(start.wo, from.wo, 1);
    return {{ideal ? "alpha" : "eta1", coefficient(population_descent(task, start, only(2)), 1)}};
  }
  // All sizes are h. Without W_K2 the coefficients of h and h^2 are those of the size of W_O and its square; what W_K2 adds
  // to that of h^2 is their product, because W_K2 alone, with W_O = 0, has no gradient.
  IdealMaps<RationalSeries2> start(task.N, task.T);
  add_monomial(start.wo, from.wo, 1);
  const IdealMaps<RationalSeries2> without = population_descent(task, start, only(3));
  add_monomial(start.wk2, from.wk2, 1);
  const IdealMaps<RationalSeries2> with = population_descent(task, start, only(3));
  const IdealMaps<Rational> product = difference(coefficient(with, 2), coefficient(without, 2));
  if (ideal) return {{"alpha", coefficient(without, 1)}, {"alpha*beta", product}};
  return {{"eta1", coefficient(without, 1)}, {"eta1^2", coefficient(without, 2)}, {"eta1^2*eta2", product}};
}

}  // namespace popgrad
