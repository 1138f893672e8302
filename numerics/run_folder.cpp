#include "numerics/run_folder.hpp"

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_files.hpp"
#include "numerics/run_state.hpp"
#include "numerics/run_summary.hpp"
#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

TensorFile initial_file(const FiniteModel& model) {
  TensorFile file;
  for (const Table table : every_table) file.tensors[name(table)] = matrix(model, table);
  file.metadata["format"] = initial_format;
  return file;
}

}  // namespace

fs::path RunFolder::snapshot_file(std::int64_t step) const {
  return file(snapshots_name) / fmt::format("step-{:06}.safetensors", step);
}

RunFolder RunFolder::create(const fs::path& folder, const Trainer& trainer, const BigramCounts& corpus,
                            const std::string& program) {
  if (fs::exists(folder / config_name) || fs::exists(folder / "config.json"))  // that of a flow, or of an older version
    throw InputError("out", "'" + folder.string() + "', which already holds a run", "another folder, or --resume");
  require_writable_folder("out", folder);
  RunFolder run(folder);
  run.options_ = trainer.options();
  run.corpus_ = corpus;
  run.program_ = program;
  run.configuration_ = configuration_hash(run.options_, run.corpus_);
  std::error_code ignored;
  // Of a run whose config.toml is gone: the new run would not replace these before it has its own.
  fs::remove(run.file(first_name), ignored);
  for (const std::int64_t step : run.snapshots()) fs::remove(run.snapshot_file(step), ignored);
  fs::remove(run.file(snapshots_name), ignored);
  remove_unfinished(folder);
  try {
    if (run.options_.task == TaskKind::bigram) write_file_atomically(run.file(run_corpus_name), to_tsv(corpus));
    write_safetensors(run.file(initial_name), initial_file(trainer.model()));
    run.save(trainer.state());
    write_file_atomically(run.file(metrics_name), "");
    // Last: a folder with config.toml holds a complete run.
    write_file_atomically(run.file(config_name), to_toml(run.options_, program));
  } catch (...) {
    for (const char* name : {run_corpus_name, initial_name, latest_name, metrics_name}) fs::remove(run.file(name), ignored);
    throw;
  }
  return run;
}

RunFolder RunFolder::open(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / config_name, ignored)) {
    const bool older = fs::exists(folder / "config.json", ignored) && fs::exists(folder / initial_name, ignored);
    throw InputError("run", "'" + folder.string() + (older ? "' (a run of an older version)" : "' (no config.toml in it)"),
                     "a folder that this popgrad train wrote");
  }
  RunFolder run(folder);
  RunConfig config = parse_run_config(run.file(config_name).string(), read_file("run", run.file(config_name)));
  run.options_ = std::move(config.options);
  run.program_ = std::move(config.program);
  run.corpus_ = run.options_.task == TaskKind::bigram
                    ? parse_tsv(run.file(run_corpus_name).string(), read_file("run", run.file(run_corpus_name)))
                    : default_counts();
  run.options_.validate(run.corpus_);
  run.configuration_ = configuration_hash(run.options_, run.corpus_);
  return run;
}

FiniteModel RunFolder::initial_model() const {
  const std::string argument = file(initial_name).string();
  const TensorFile tensors = read_safetensors(argument, file(initial_name));
  require_format(tensors, argument, initial_format);
  const ModelOptions shape = options_.model_options(corpus_);
  FiniteModel model;
  for (const Table table : every_table)
    matrix(model, table) = tensors.at(argument, name(table), rows_of(table, shape), shape.d);
  model.score_scale = shape.score_scale;
  model.feed_forward = shape.feed_forward;
  model.validate();
  return model;
}

FiniteModel RunFolder::model(const TrainState& state) const {
  FiniteModel model = initial_model();
  for (const auto& [table, weights] : state.weights) matrix(model, table) = weights;
  model.validate();
  return model;
}

TrainState RunFolder::read_state(const fs::path& path) const {
  const std::string argument = path.string();
  return parse_state(argument, read_safetensors(argument, path), options_, corpus_, configuration_);
}

TrainState RunFolder::latest() const { return read_state(file(latest_name)); }

TrainState RunFolder::snapshot(std::int64_t step) const {
  const fs::path path = snapshot_file(step);
  TrainState state = read_state(path);
  if (state.step != step) throw InputError(path.string(), "a state of step " + std::to_string(state.step), "that of its name");
  return state;
}

std::vector<std::int64_t> RunFolder::snapshots() const { return snapshot_steps(file(snapshots_name)); }

void RunFolder::save(const TrainState& state) const {
  write_safetensors(file(latest_name), state_file(state, options_, configuration_, initial_name));
}

void RunFolder::save_snapshot(const TrainState& state) const {
  require_writable_folder("out", file(snapshots_name));
  write_safetensors(snapshot_file(state.step), state_file(state, options_, configuration_, (fs::path("..") / initial_name).string()));
}

void RunFolder::append(const Metrics& metrics) const { append_line(file(metrics_name), metrics_line(metrics)); }

std::string RunFolder::metrics_text() const {
  return fs::exists(file(metrics_name)) ? read_file("run", file(metrics_name)) : std::string();
}

void RunFolder::write_summary() const {
  write_file_atomically(file(summary_name), summarize(file(metrics_name).string(), metrics_text()));
}

}  // namespace popgrad
