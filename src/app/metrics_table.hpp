// The last evaluation of a training run on the terminal.
#pragma once
#include <string>

#include "numerics/metrics.hpp"

namespace popgrad {

// One line a probe: name, value, chance, margin, ties, rows. A probe of nothing shows "-".
std::string metrics_table(const Metrics& metrics);

// "accuracy 0.95 W_O2 1.00 W_K2 1.00 W_K1 0.76", the recalls: for a progress bar.
std::string metrics_line_for_bar(const Metrics& metrics);

}  // namespace popgrad
