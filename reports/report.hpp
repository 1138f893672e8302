// Every figure of a results.json or of a training run, from their files alone.
#pragma once
#include <filesystem>
#include <vector>

#include "reports/figure.hpp"

namespace popgrad {

// Figures of the series in a results.json: onestep_accuracy (series that differ in d only are one figure), gradient_blocks (the
// panels of one configuration are one figure) and others (one figure a series). Where a figure is wanted for several configurations, their names end in the configuration.
// A series that no figure is known for is written as TSV and reported as not drawn. Empty if the file carries no series.
// Throws InputError("results", ...) before anything is written if the file does not fit.
std::vector<FigureOutcome> draw_results(const std::filesystem::path& results, const std::filesystem::path& folder);

// Figure training_curves from run/metrics.jsonl. Throws InputError("run", ...) before anything is written.
std::vector<FigureOutcome> draw_run(const std::filesystem::path& run, const std::filesystem::path& folder);

}  // namespace popgrad
