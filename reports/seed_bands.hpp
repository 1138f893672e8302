// Figures 3 and 4 of the paper with means and 95 % intervals over seeds: the series "figure3" and "figure4" of a results.json.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Recall of the three memories and in-context accuracy against steps: above with W_O2 trained from the start, below with W_O2
// frozen at its random start until the dashed line. One panel where the series has one of them.
// Both throw InputError("results", ...) if columns are missing or no row is left.
FigureSpec figure3(const std::string& name, FigureSeries series);

// Against steps (log scale): in-context accuracy for each choice of triggers; KL to the bigram law; accuracy under uniform and
// bigram outputs after training on either. Panels without a curve are left out.
FigureSpec figure4(const std::string& name, FigureSeries series);

}  // namespace popgrad
