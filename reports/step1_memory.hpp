// Figure: the first descent direction of W_O, output against the coordinates E, P, R, S, as a heat map.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns "output k", "column" (both 0-based) and "value", one row an entry of the N x 2(N+T) matrix -dL/dW_O, columns in
// the order E, P, R, S. Diverging colours, white at 0. Shown 1-based.
// Throws InputError unless the rows are exactly the entries of such a matrix with N >= 1 and T >= 1.
FigureSpec step1_memory_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
