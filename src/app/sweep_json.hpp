// The text of sweep.json, and what a sweep needs to know of it when it starts again.
#pragma once
#include <string>
#include <vector>

#include "app/sweep_summary.hpp"

namespace popgrad {

// With `outcomes` and `summaries` once all runs are done; both empty before.
std::string sweep_json(const SweepGrid& grid, const std::vector<RunState>& states, const std::string& program,
                       const std::vector<RunOutcome>& outcomes = {}, const std::vector<SettingSummary>& summaries = {});

// The states of the grid's runs in such a text. InputError(argument, ...) if it is none, or of another grid: the first
// difference.
std::vector<RunState> parse_sweep_states(const std::string& argument, const std::string& text, const SweepGrid& grid);

}  // namespace popgrad
