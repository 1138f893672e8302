#include <fcntl.h>
#include <fmt/core.h>
#include <omp.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/config_parse.hpp"
#include "app/interrupt.hpp"
#include "app/output_folder.hpp"
#include "app/progress.hpp"
#include "app/sweep_json.hpp"
#include "app/sweep_table.hpp"
#include "app/sweep_work.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/atomic_file.hpp"
#include "core/revision.hpp"
#include "numerics/run_files.hpp"

namespace popgrad {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string file, out, threads;
  std::vector<std::string> sets;
  bool list = false, quiet = false;
};

// One sweep at a time in a folder; released when the process ends, however it ends.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    if (descriptor_ >= 0) close(descriptor_);
    throw InputError("--out", "'" + folder.string() + "' (another process is at work on it)",
                     "a folder of its own for each sweep at work");
  }
  ~FolderLock() { close(descriptor_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

SweepGrid grid_of(const Options& options) {
  std::vector<Setting> sets;
  for (const std::string& text : options.sets) {
    sets.push_back(parse_set(text));
    sets.back().command_line = false;  // what training reads is known by name
  }
  return make_sweep_grid(read_sweep_file(options.file), sets);
}

std::string bar_text(const SweepProgress& p) {
  return fmt::format("{} of {} runs done, {} at work  {:.0f} seq/s", p.done, p.runs, p.at_work, p.sequences_per_second);
}

// Where a run of the sweep diverged.
std::string divergences(const SweepGrid& grid, const std::vector<RunState>& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].status == RunStatus::diverged) text += "note: run '" + grid.runs[i].folder + "' " + states[i].why + "\n";
  return text;
}

ExitCode finish(const fs::path& out, const SweepGrid& grid, const std::vector<RunState>& states, bool quiet) {
  std::vector<RunOutcome> outcomes;
  for (std::size_t i = 0; i < states.size(); ++i)
    outcomes.push_back(read_outcome(run_folder(out, grid.runs[i]), states[i].status));
  const std::vector<SettingSummary> summaries = summarize_settings(grid, outcomes);
  write_file_atomically(out / "sweep.tsv", sweep_tsv(grid, summaries));
  write_file_atomically(out / "sweep.json", sweep_json(grid, states, program_name(), outcomes, summaries));
  if (!quiet) print(sweep_table(grid, summaries) + divergences(grid, states));
  print(fmt::format("wrote {0}/sweep.json, {0}/sweep.tsv and {1} runs in {0}/runs\n", out.string(), grid.runs.size()));
  return ExitCode::ok;
}

ExitCode run_sweep(const Options& options) {
  int threads = omp_get_max_threads();
  if (!options.threads.empty()) threads = static_cast<int>(parse_integer(typed("--threads", options.threads), 1, 1024));
  const SweepGrid grid = grid_of(options);
  if (options.list) {
    print(sweep_list(grid));
    return ExitCode::ok;
  }
  if (options.out.empty()) throw InputError("--out", "nothing", "a folder for the sweep");
  const fs::path folder = options.out;
  std::vector<RunState> states = read_sweep_state(folder, grid);
  OutputFolder out("--out", folder);
  const FolderLock lock(folder);
  remove_unfinished(folder);
  states = read_sweep_state(folder, grid);  // another process may have been at work until now
  require_runs(folder, grid, states);
  write_sweep_state(folder, grid, states, program_name());
  out.keep();
  SweepHooks hooks;
  hooks.program = program_name();
  hooks.stop = &catch_interrupts();
  bool done = false;
  {
    std::unique_ptr<ProgressBar> bar;
    hooks.progress = [&](const SweepProgress& p) {
      if (bar == nullptr) bar = std::make_unique<ProgressBar>("update", p.all_updates, options.quiet);
      if (bar->active()) bar->show(p.updates, bar_text(p));
    };
    done = work_on_sweep(folder, grid, states, threads, hooks);
  }
  if (done) return finish(folder, grid, states, options.quiet);
  const auto ended = std::ranges::count_if(states, [](const RunState& s) { return s.status != RunStatus::pending; });
  print(
      fmt::format("stopped: {} of {} runs done; the same command continues, with the same bits\n", ended, grid.runs.size()));
  return interrupted_exit_code();
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("sweep", "train a grid of settings with several seeds, and compare them");
  const auto options = std::make_shared<Options>();
  verb->add_option("SWEEP", options->file, "TOML file: keys of popgrad train, with lists of values where they vary")
      ->required()
      ->type_name("F.toml");
  verb->add_option("--out", options->out,
                   "folder for the runs, sweep.json and sweep.tsv; the same command again continues what is there")
      ->type_name("DIR");
  verb->add_option("--threads", options->threads, "runs at once, one thread each; default: all. Never changes a result")
      ->type_name("n");
  verb->add_option("--set", options->sets,
                   "set one configuration key of every run; repeat the option for others; wins over the file")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("KEY=VALUE");
  verb->add_flag("--list", options->list, "show the settings and the folders of their runs, and train nothing");
  verb->add_flag("--quiet", options->quiet, "no table and no progress bar");
  verb->footer(
      "The file has the keys of 'popgrad train --keys'. A list makes the key vary; lists are crossed. run.seed is a list of "
      "seeds or a range\n"
      "such as \"1..5\". Each [[variant]] has a name and sets several keys at once. experiments/sweep.toml is an example, "
      "docs/formats.md\n"
      "describes what is written. Every run is an ordinary run folder: popgrad report DIR/runs/RUN draws it, popgrad train "
      "--resume goes on.\n"
      "A run that diverges is counted, and the others go on. Ctrl-C saves all runs at work.\n"
      "Exit code: 0 done, 2 bad usage or input, 5 the environment failed, 130 interrupted.");
  verb->callback([options, &action] { action = [options] { return run_sweep(*options); }; });
}

}  // namespace popgrad
