// Figure: loss, in-context accuracy and the recall of the three memories along a training run.
#pragma once
#include <filesystem>

#include "reports/figure.hpp"

namespace popgrad {

// The numbers of metrics.jsonl that the figure shows, one row an evaluation: step, held-out loss, then value and chance of
// in-context accuracy, R(W_O2), R(W_K2), R(W_K1), and KL to the bigram law. A quantity that was not measured is NaN. An
// unfinished last line (a run still going, or killed) is left out.
// Throws InputError("run", ...) if the file is missing or empty, has a line that is not such an object, or steps do not
// increase.
FigureTable read_metrics(const std::filesystem::path& metrics);

// Upper panel: losses in nats; lower panel: accuracy and recalls with their chance levels dotted.
FigureSpec training_curves_figure(const std::string& name, const std::string& title, const FigureTable& table);

}  // namespace popgrad
