// Figure gradient_blocks: population gradients block by block as heat maps on one scale, the memory block outlined.
#pragma once
#include <string>
#include <vector>

#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// One panel a map, in the order of the column "panel"; `titles` one a panel; below `title` stands the series' configuration. Panels whose rows are outputs (maps of W_O) stand above the others.
// All cells have one size, all panels one colour scale: logarithmic, but linear below a power of ten that is between a tenth and a hundredth of the
// smallest of the panels' largest entries. The columns are those of numerics/block_picture.hpp. Throws InputError("results", ...) if a panel is no
// whole matrix, or is missing its title.
FigureSpec gradient_blocks_figure(const std::string& name, FigureSeries series, const std::string& title, const std::vector<std::string>& titles);

// The same for the series of popgrad verify, where panel m is stage m of an ideal hand-off to leading order.
FigureSpec stage_gradients_figure(const std::string& name, const FigureSeries& series);

}  // namespace popgrad
