// The table of a sweep: on the terminal, and as TSV.
#pragma once
#include <string>
#include <vector>

#include "app/sweep_summary.hpp"

namespace popgrad {

// Two tables with one line a setting: where runs ended, and when probes rose; then what the cells mean.
std::string sweep_table(const SweepGrid& grid, const std::vector<SettingSummary>& summaries);

// One line a setting under a header; "NaN" where there is no number. Columns in docs/formats.md.
std::string sweep_tsv(const SweepGrid& grid, const std::vector<SettingSummary>& summaries);

// --list: settings, seeds and the folder of every run.
std::string sweep_list(const SweepGrid& grid);

}  // namespace popgrad
