// The report of popgrad compare on the terminal.
#pragma once
#include <string>

#include "app/terminal.hpp"
#include "check/consistency.hpp"

namespace popgrad {

// One line a statistic of a block: map, block, statistic, predicted, measured, standard error, z, bound, verdict; then the
// reasons of undecided rows, the negative controls, and the verdict with what to do next.
std::string compare_table(const CompareReport& report, const TableStyle& style);

// What the columns mean, for --help.
const char* compare_legend();

}  // namespace popgrad
