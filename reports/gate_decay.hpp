// Figure: how the gradient in W_K1 vanishes with the embedding dimension while W_O2 is zero.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns "d", "rms of the W_K1 gradient", "standard error", "law sqrt(C/d)". Double-logarithmic.
// Throws InputError if a column is missing, there is no row, or some d is not positive.
FigureSpec gate_decay_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
