// Figure variance_saved: how much work the Monte Carlo engine needs, with and without its strata and its control variate.
#pragma once
#include <string>

#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns "stage", "alpha = beta", and one a way to sample: "naive", "stratified", "control variate", "both": variance of all entries of an estimate
// bought with one pass, over the squared norm of the gradient. One panel a stage, both axes logarithmic. Throws InputError("results", ...) if the
// series does not fit.
FigureSpec variance_saved_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
