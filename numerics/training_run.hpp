// The training loop on a run folder.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>

#include "numerics/run_folder.hpp"

namespace popgrad {

struct TrainProgress {
  std::int64_t step = 0, steps = 0;
  double sequences_per_second = 0;  // since this call began; not in metrics.jsonl, which must not depend on the machine
  const Metrics* latest = nullptr;  // the last evaluation of this call, or none yet
  bool evaluated = false;           // `latest` is of this very step
};

struct TrainHooks {
  std::function<void(const TrainProgress&)> progress = [](const TrainProgress&) {};  // after every step and evaluation
  const std::atomic<bool>* stop = nullptr;  // set by a signal handler: save after the current step and return
  std::string program;                      // recorded in config.toml
};

struct TrainResult {
  std::int64_t step = 0;
  bool finished = false;  // false: stopped, and `resume` continues with the same bits
  Metrics final;          // the last evaluation; when stopped, of the state where the run stopped (not logged)
};

// A run of which no batch had a loss position in its first `patience` updates, or in all if it is shorter, is stopped: it would
// learn nothing. Single such batches are counted and flagged, and training goes on.
inline constexpr std::int64_t patience = 100;

// Trains and writes `folder`. resume = false: a new run (InputError("out", ...) if the folder holds one). resume = true: the
// run in the folder continues from its last checkpoint; weights and metrics get the same bits as without the interruption.
// Throws Diverged at the first loss or weight that is not finite; the checkpoint is then the last one whose loss is finite.
// InputError("train.batch", ...) if no batch has a loss position; EnvironmentError if the disk is full: the run can go on
// from its checkpoint.
TrainResult train(const TrainOptions& options, const BigramCounts& corpus, const std::filesystem::path& folder, bool resume,
                  const TrainHooks& hooks = {});

}  // namespace popgrad
