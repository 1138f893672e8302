// sweep.json: what a sweep is, how far its runs are, and in the end its table.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/sweep_grid.hpp"

namespace popgrad {

enum class RunStatus { pending, finished, diverged };  // pending: not begun, or begun and to be continued
const char* name(RunStatus status);

struct RunState {
  RunStatus status = RunStatus::pending;
  std::string why;  // of a run that diverged
};

// The states of the grid's runs in the sweep of `folder`. All pending if the folder does not exist or is empty.
// InputError("--out", ...) if the folder holds something else than a sweep, or the sweep of another grid (with the first
// difference).
std::vector<RunState> read_sweep_state(const std::filesystem::path& folder, const SweepGrid& grid);

// Writes sweep.json atomically, without a table.
void write_sweep_state(const std::filesystem::path& folder, const SweepGrid& grid, const std::vector<RunState>& states,
                       const std::string& program);

// Runs that are done must be in the folder with the options of the grid: those that are not there are pending again;
// InputError("--out",
// ...) naming the first option that differs, or the file that is damaged.
void require_runs(const std::filesystem::path& folder, const SweepGrid& grid, std::vector<RunState>& states);

// Where a run is: its folder, an ordinary run folder.
std::filesystem::path run_folder(const std::filesystem::path& sweep, const SweepRun& run);

}  // namespace popgrad
