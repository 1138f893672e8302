// Figure: how the emergence time grows with the length or the vocabulary.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Series emergence_T or emergence_N: a column "T" or "N" and, for each curve, the columns of check/power_law_series.hpp. Double-logarithmic:
// measured times, the fitted line, and between the extreme fits a band, beyond the data too.
// Throws InputError if the columns are others, there is no row, or a size is not positive.
FigureSpec emergence_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
