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
  std::string program;                      // recorded in config.json
};

struct TrainResult {
  std::int64_t step = 0;
  bool finished = false;  // false: stopped, and `resume` continues with the same bits
  Metrics final;          // the last evaluation; when stopped, of the state where the run stopped (not logged)
};

// Trains and writes `folder`. resume = false: a new run (InputError("out", ...) if the folder holds one). resume = true: the
// run in the folder continues from its last checkpoint; weights and metrics get the same bits as without the interruption.
TrainResult train(const TrainOptions& options, const BigramCounts& corpus, const std::filesystem::path& folder, bool resume,
                  const TrainHooks& hooks = {});

}  // namespace popgrad
