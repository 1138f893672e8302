// A run on disk: what was asked, where it started, where it is, and what was measured on the way.
//   config.json           resolved options
//   corpus.counts.tsv     the counts behind the bigram law (bigram task only)
//   initial.safetensors   theta_0: trained maps and all frozen tables
//   first_gradient.safetensors  what update 1 used, and the weights after it
//   latest.safetensors    trained maps, momentum, step and stream counts; replaced atomically
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
  // metrics and summary. `program` is recorded in config.json ("popgrad 0.1.0 (abc)").
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
  TrainState latest() const;
  // Nothing if the file is not there: a run before its first update, or one of a version that did not write it.
  // InputError if it is damaged, of another shape, or of other maps than those that update 1 moves.
  std::optional<FirstGradient> first_gradient() const;

  // Continues with other options: InputError naming the first key that differs from the run's. Only train.steps may, and may
  // not fall below the steps already done. Metrics lines after latest().step are dropped, and so is the line of a last step
  // that the longer run would not evaluate: the log is then the one of a run that was never interrupted.
  void prepare_resume(const TrainOptions& options);

  void save(const TrainState& state) const;
  void save(const FirstGradient& first) const;
  void append(const Metrics& metrics) const;  // EnvironmentError if the line cannot be written
  std::string metrics_text() const;           // all of metrics.jsonl; empty before the first line
  void write_summary() const;                 // from metrics.jsonl

 private:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path file(const char* name) const { return path_ / name; }

  std::filesystem::path path_;
  TrainOptions options_;
  BigramCounts corpus_;
  std::string program_;
};

}  // namespace popgrad
