// Figures of a results.json or a run folder, and what to tell the user about them.
#pragma once
#include <filesystem>
#include <string>

#include "reports/figure.hpp"

namespace popgrad {

// What to tell the user about one figure, a line.
std::string figure_text(const FigureOutcome& outcome);

// Draws what `source` (a results.json or a run folder) has figures for into `folder`. Never fails because gnuplot is
// missing: the text, one line a figure, says what was drawn and what was not and why.
std::string draw_figures(const std::filesystem::path& source, const std::filesystem::path& folder);

}  // namespace popgrad
