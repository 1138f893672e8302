// Carries out the runs of a sweep, one thread a run, as many at once as there are threads.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/sweep_state.hpp"

namespace popgrad {

struct SweepProgress {
  std::int64_t updates = 0, all_updates = 0;  // of the runs that were pending
  int done = 0, at_work = 0, runs = 0;        // runs; done counts earlier calls too
  double sequences_per_second = 0;            // since this call began
};

struct SweepHooks {
  std::function<void(const SweepProgress&)> progress = [](const SweepProgress&) {};  // never by two threads at once
  const std::atomic<bool>* stop =
      nullptr;  // set by a signal handler: every run at work saves its state, and no other begins
  std::string program;
};

// Trains what is pending in `states` and keeps them up to date, in sweep.json as well. A run that was begun is continued;
// its bits are those of a run that was never interrupted, and do not depend on the number of threads. True if all runs are
// done; false if stopped. The first failure that is no divergence (a full disk, a damaged run folder) stops the others and
// is thrown under the run's name.
bool work_on_sweep(const std::filesystem::path& folder, const SweepGrid& grid, std::vector<RunState>& states, int threads,
                   const SweepHooks& hooks);

}  // namespace popgrad
