// What the runs of a sweep say, setting by setting, over seeds.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep_state.hpp"
#include "check/over_seeds.hpp"
#include "numerics/metrics.hpp"

namespace popgrad {

inline constexpr double sweep_level = 0.95;

struct RunOutcome {
  bool diverged = false;
  Metrics final;                            // the last evaluation
  std::vector<std::optional<double>> rise;  // the step at which each of rise_names() rose
};

struct FinalSummary {
  const char* name;     // as in metrics.jsonl
  MeanOverSeeds value;  // over the runs that did not diverge and measured it
};

struct RiseSummary {
  const char* name;
  int risen = 0;
  Limits fraction;               // of runs that rise, Clopper and Pearson
  MeanOverSeeds step;            // over the runs that rose alone
  std::optional<double> median;  // over all runs; one that did not rise counts as later than all others
};

struct SettingSummary {
  int runs = 0, diverged = 0;
  Limits diverged_fraction;
  std::vector<FinalSummary> final;
  std::vector<RiseSummary> rise;
};

const std::vector<const char*>& final_names();  // loss, accuracy, wo2, wk2, wk1_64, wk1, kl
const std::vector<const char*>& rise_names();   // accuracy, wo2, wk2, wk1_64, wk1

// One run of the sweep, from its folder. A run of status diverged may have no evaluation. InputError if the folder is
// damaged.
RunOutcome read_outcome(const std::filesystem::path& run, RunStatus status);

// One summary a setting; outcomes in the order of grid.runs.
std::vector<SettingSummary> summarize_settings(const SweepGrid& grid, const std::vector<RunOutcome>& outcomes);

}  // namespace popgrad
