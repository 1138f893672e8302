// Invariant maps whose entries are truncated power series in one step size.
#pragma once
#include "core/rational.hpp"
#include "core/truncated_series.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

using MapSeries = InvariantMaps<TruncatedSeries>;

// series += h^order maps + O(h^{known+1}), zero entries left alone. HypothesisError unless N and T agree and 0 <= order <=
// known.
void add_monomial(MapSeries& series, const InvariantMaps<Rational>& maps, int order, int known);

// The coefficient of h^order in every entry; HypothesisError where that is not known.
InvariantMaps<Rational> coefficient_of(const MapSeries& series, int order);

}  // namespace popgrad
