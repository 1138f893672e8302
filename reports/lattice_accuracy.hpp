// Accuracy after each step, for the rows of the lattice of assumptions.
#pragma once
#include <string>

#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns "ideal hand-off", "full blocks", "any background", "any query" (0 or 1), "chance", "step 1", "step 2", "step 3",
// "standard error" (of step 3), "ideal head"; a row of the table for each row of the lattice, in its order. InputError if a
// column or every row is missing.
FigureSpec lattice_accuracy_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
