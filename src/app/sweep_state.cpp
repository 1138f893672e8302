#include "app/sweep_state.hpp"

#include "app/sweep_json.hpp"
#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_folder.hpp"

namespace popgrad {
namespace fs = std::filesystem;

fs::path run_folder(const fs::path& sweep, const SweepRun& run) { return sweep / "runs" / run.folder; }

std::vector<RunState> read_sweep_state(const fs::path& folder, const SweepGrid& grid) {
  std::error_code ignored;
  const std::string shown = "'" + folder.string() + "'";
  if (!fs::exists(folder, ignored)) return std::vector<RunState>(grid.runs.size());
  if (!fs::is_directory(folder, ignored)) throw InputError("--out", shown + " (a file)", "a folder for the sweep");
  if (fs::exists(folder / "sweep.json", ignored))
    return parse_sweep_states("--out", read_file("--out", folder / "sweep.json"), grid);
  // A process that was killed while it wrote leaves a temporary file.
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() != ".tmp")
      throw InputError("--out", shown + " (it holds '" + entry.path().filename().string() + "' and no sweep)",
                       "a new folder, an empty one, or that of the same sweep");
  return std::vector<RunState>(grid.runs.size());
}

void write_sweep_state(const fs::path& folder, const SweepGrid& grid, const std::vector<RunState>& states,
                       const std::string& program) {
  write_file_atomically(folder / "sweep.json", sweep_json(grid, states, program));
}

void require_runs(const fs::path& folder, const SweepGrid& grid, std::vector<RunState>& states) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].status == RunStatus::pending) continue;
    const fs::path place = run_folder(folder, grid.runs[i]);
    std::error_code ignored;
    if (!fs::exists(place, ignored)) {  // removed by hand
      states[i] = {};
      continue;
    }
    const RunFolder run = RunFolder::open(place);
    Config config;
    config.train = run.options();
    const KeyValues found = run_options(config, run.corpus()), &expected = grid.settings[grid.runs[i].setting].options;
    for (std::size_t k = 0; k < std::min(found.size(), expected.size()); ++k)
      if (found[k] != expected[k])
        throw InputError("--out",
                         "run '" + grid.runs[i].folder + "' with " + found[k].first + " " + to_text(found[k].second),
                         expected[k].first + " " + to_text(expected[k].second));
    if (run.options().seed != grid.runs[i].seed)
      throw InputError("--out", "run '" + grid.runs[i].folder + "' with seed " + std::to_string(run.options().seed),
                       std::to_string(grid.runs[i].seed));
  }
}

}  // namespace popgrad
