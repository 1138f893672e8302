// Figure: accuracy of the classifier after one gradient step, against the embedding dimension.
#pragma once
#include "reports/figure.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// Columns "d", "predicted accuracy", "prediction error" (half-width of the model's stated error), "measured accuracy",
// "standard error" (NaN where there is only a prediction). Upper panel: both curves over log2 d; lower panel: measured minus
// predicted, where accuracies near 1 can still be told apart. Rows are sorted by d.
// Throws InputError if a column is missing, there is no row, or some d is not positive.
FigureSpec onestep_accuracy_figure(const std::string& name, FigureSeries series);

}  // namespace popgrad
