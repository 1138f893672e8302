// A run on disk: what was asked, where it started, where it is, and what was measured on the way.
//   config.toml           resolved options, which popgrad train --config repeats
//   corpus.counts.tsv     the counts behind the bigram law (bigram task only)
//   initial.safetensors   theta_0: trained maps and all frozen tables
//   first_gradient.safetensors  what update 1 used, and the weights after it
//   latest.safetensors    what is trained, the optimizer's memory, step and stream counts; replaced atomically
//   checkpoints/step-000050.safetensors  the same of earlier steps, kept (train.snapshot_every)
//   metrics.jsonl         one line an evaluation, in order of steps
//   summary.json          when each probe rose, final values; written when the run ends
#pragma once
#include <filesystem>
#include <string>

#include "numerics/trainer.hpp"

namespace popgrad {

class RunFolder {
 public:
  // A new run: InputError("out", ...) if the folder cannot be written to or already holds a run. Writes everything but
  // metrics and summary. `program` is recorded in config.toml ("popgrad 0.1.0 (abc)").
  static RunFolder create(const std::filesystem::path& folder, const Trainer& trainer, const BigramCounts& corpus,
                          const std::string& program);

  // An existing run: InputError("run", ...) if there is none or a file of it is damaged.
  static RunFolder open(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return path_; }
  const TrainOptions& options() const { return options_; }
  const std::string& program() const { return program_; }  // that made it
  const BigramCounts& corpus() const { return corpus_; }  // the default counts in the minimal task, which does not use them

  // theta_0, from initial.safetensors. It must agree with the options in shape.
  FiniteModel initial_model() const;
  // The state to continue from. InputError naming the file if it is damaged, of another format or shape, or not of this
  // run's configuration.
  TrainState latest() const;
  // The steps of which a state was kept, in order, and that state; InputError if there is none.
  std::vector<std::int64_t> snapshots() const;
  TrainState snapshot(std::int64_t step) const;
  // theta of a state: what is trained from there, all else from theta_0.
  FiniteModel model(const TrainState& state) const;
  // Nothing if the file is not there: a run before its first update, or one of a version that did not write it.
  // InputError if it is damaged, of another shape, or of other maps than those that update 1 moves.
  std::optional<FirstGradient> first_gradient() const;

  // Continues with other options: InputError naming the first key that differs from the run's. Only train.steps may, and may
  // not fall below the steps already done. Metrics lines and snapshots after latest().step are dropped, and so are those of a
  // last step that the longer run would not make: the log is then the one of a run that was never interrupted.
  void prepare_resume(const TrainOptions& options);

  void save(const TrainState& state) const;           // as latest
  void save_snapshot(const TrainState& state) const;  // to be kept
  void save(const FirstGradient& first) const;
  // EnvironmentError if the line cannot be written whole; nothing is then added.
  void append(const Metrics& metrics) const;
  std::string metrics_text() const;           // all of metrics.jsonl; empty before the first line
  void write_summary() const;                 // from metrics.jsonl

 private:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path file(const char* name) const { return path_ / name; }

  std::filesystem::path snapshot_file(std::int64_t step) const;
  TrainState read_state(const std::filesystem::path& path) const;
  void fit_records(std::int64_t done);  // the rest of prepare_resume, for the options as they are now

  std::filesystem::path path_;
  TrainOptions options_;
  BigramCounts corpus_;
  std::string program_;
  std::string configuration_;  // configuration_hash of options_ and corpus_
};

}  // namespace popgrad
