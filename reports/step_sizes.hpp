// Figure: the region of success in step sizes. Accuracy after three steps as heat maps over (eta2, eta3), a panel for each eta1.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns of the series, one row a cell of a grid, the last size fastest: multiples of the unit of each step size, accuracy after
// each step, its standard error after the third, and the accuracy above which a cell counts as success (the same in all rows).
const std::vector<std::string>& step_sizes_columns();

// One colour scale for all panels, from 0 to 1; the outline runs around the cells that are above the level.
// InputError("results", ...) unless the columns are there and the rows are a grid of at most 12 x 40 x 40 cells.
FigureSpec step_sizes_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
