// Training runs in memory, several at a time.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "numerics/trainer.hpp"

namespace popgrad {

struct RunRequest {
  TrainOptions options;
  // Further laws of the bigram task: in-context accuracy on held-out sequences of each, beside that of the run's own.
  std::vector<BigramTask> tests = {};
};

struct RunCurve {
  std::vector<Metrics> metrics;           // one an evaluation, as in metrics.jsonl
  std::vector<std::vector<Probe>> tests;  // of each test law, one an evaluation
  std::string diverged;                   // why it stopped before its last update; empty: it did not
};

// Trains every request from its start to its end. One thread a run, so the bits do not depend on the number of threads. A run
// that diverges keeps what it had measured. `done` is called after every run with the number of runs done, never by two threads
// at once. InputError on options that are not valid, before any training.
std::vector<RunCurve> train_runs(const std::vector<RunRequest>& requests, const BigramCounts& corpus,
                                 const std::function<void(std::size_t done)>& done = [](std::size_t) {});

// "Rises" of run_summary.hpp for one probe of a run: the update, or nothing.
std::optional<std::int64_t> rise_of(const std::vector<Metrics>& metrics, const std::function<const Probe&(const Metrics&)>& probe);

}  // namespace popgrad
