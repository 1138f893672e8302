// The last evaluation of a training run on the terminal.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "numerics/metrics.hpp"

namespace popgrad {

// One line a probe: name, value, chance, margin, ties, rows. A probe of nothing shows "-".
std::string metrics_table(const Metrics& metrics);

// The same for a flow, whose loss and accuracy are those of the population.
std::string population_table(const Metrics& metrics);

// Empty, or one line without its end if the loss is above what the uniform prediction over N tokens costs, log N nats.
// since: the step from which on the run has diverged (numerics/run_summary.hpp).
std::string excess_loss(const Metrics& metrics, std::optional<std::int64_t> since, int N);

// What the columns and probes mean, for --help.
const char* probes_legend();

// "accuracy 0.95 W_O2 1.00 W_K2 1.00 W_K1 0.76", the recalls: for a progress bar.
std::string metrics_line_for_bar(const Metrics& metrics);

}  // namespace popgrad
