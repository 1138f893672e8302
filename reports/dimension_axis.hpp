// What figures over the embedding dimension share: the axis, and how a measured point looks.
#pragma once
#include <string>

#include "reports/figure_series.hpp"

namespace popgrad {

// Commands for a logarithmic x axis over column "d" with a margin beside the extreme points; a tic at each d if they are few.
// Throws InputError if some d is not positive.
std::string dimension_axis(const FigureSeries& series);

inline constexpr const char* dimension_label = "set xlabel 'embedding dimension d (log scale)'\n";

// "with yerrorbars ...": points in vermillion.
std::string measured_style();

}  // namespace popgrad
