#include "numerics/map_series.hpp"

#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

// each(block of a, block of b) for the blocks of all three maps.
template <class A, class B, class Each>
void with_blocks(A& a, B& b, const Each& each) {
  for (std::size_t i = 0; i < a.wo.size(); ++i) each(a.wo[i], b.wo[i]);
  for (std::size_t i = 0; i < a.wk2.size(); ++i) each(a.wk2[i], b.wk2[i]);
  for (std::size_t i = 0; i < a.wk1.size(); ++i) each(a.wk1[i], b.wk1[i]);
}

}  // namespace

void add_monomial(MapSeries& series, const InvariantMaps<Rational>& maps, int order, int known) {
  require(series.N == maps.N && series.T == maps.T, "add_monomial", "maps", "the same N and T",
          std::to_string(maps.N) + ", " + std::to_string(maps.T));
  const auto add = [&](TruncatedSeries& into, const Rational& from) {
    if (!from.is_zero()) into += TruncatedSeries::monomial(from, order, known);
  };
  with_blocks(series, maps, [&](InvariantBlock<TruncatedSeries>& into, const InvariantBlock<Rational>& from) {
    add(into.diag, from.diag);
    add(into.off, from.off);
    for (std::size_t i = 0; i < into.entries.size(); ++i) add(into.entries[i], from.entries[i]);
  });
}

InvariantMaps<Rational> coefficient_of(const MapSeries& series, int order) {
  InvariantMaps<Rational> maps(series.N, series.T);
  with_blocks(series, maps, [&](const InvariantBlock<TruncatedSeries>& from, InvariantBlock<Rational>& into) {
    into.diag = from.diag[order];
    into.off = from.off[order];
    for (std::size_t i = 0; i < into.entries.size(); ++i) into.entries[i] = from.entries[i][order];
  });
  return maps;
}

}  // namespace popgrad
