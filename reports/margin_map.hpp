// Figures step2_margin and step3_margin: the memory signal of a step over (N, T), and where it is not positive.
#pragma once
#include <string>

#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns "N", "T", and one column a panel, its name the panel's title: margins, in the units that `unit` names. Both axes are
// logarithmic, because failures are at small sizes; every cell is one size. A cross marks a cell at which the margin is negative,
// a ring one at which it is zero. Throws InputError("results", ...) if the series does not fit.
FigureSpec margin_map_figure(const std::string& name, const FigureSeries& series, const std::string& title, const std::string& unit);

}  // namespace popgrad
