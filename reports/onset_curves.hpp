// Figure: how the memories leave zero, against the powers of time that T3.onset predicts.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Series onset_full or onset_isolated: column "t", and for each quantity a column of its name and one of its first order, "<name>, t^<k>".
// Double-logarithmic, magnitudes. Throws InputError if the columns are others, there is no row, or a time is not positive.
FigureSpec onset_curves_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
