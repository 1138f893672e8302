#include "numerics/run_folder.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_summary.hpp"
#include "numerics/safetensors.hpp"
#include "numerics/train_options_json.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

constexpr const char* config_name = "config.json";
constexpr const char* corpus_name = "corpus.counts.tsv";
constexpr const char* initial_name = "initial.safetensors";
constexpr const char* first_name = "first_gradient.safetensors";
constexpr const char* latest_name = "latest.safetensors";
constexpr const char* metrics_name = "metrics.jsonl";
constexpr const char* summary_name = "summary.json";

constexpr Map all_maps[] = {Map::wk1, Map::wk2, Map::wo2, Map::wf};

TensorFile initial_file(const FiniteModel& model) {
  TensorFile file;
  const FrozenMaps& frozen = model.frozen;
  file.tensors = {{"tok", frozen.tok}, {"pos", frozen.pos}, {"out", frozen.out},
                  {"wv1", frozen.wv1}, {"wo1", frozen.wo1}, {"wv2", frozen.wv2}};
  for (const Map map : all_maps) file.tensors[name(map)] = model.trained.at(map);
  file.metadata["format"] = "popgrad-theta0-1";
  return file;
}

std::int64_t integer(const TensorFile& file, const std::string& argument, const std::string& key) {
  const auto found = file.metadata.find(key);
  const std::string text = found == file.metadata.end() ? "" : found->second;
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw InputError(argument, "metadata " + key + " = '" + text + "'", "a non-negative integer");
  return std::stoll(text);
}

double finite_number(const TensorFile& file, const std::string& argument, const std::string& key) {
  const auto found = file.metadata.find(key);
  const std::string text = found == file.metadata.end() ? "" : found->second;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw InputError(argument, "metadata " + key + " = '" + text + "'", "a finite number");
  return value;
}

constexpr const char* first_format = "popgrad-first-gradient-2";

// The first key in which two configurations differ, "section.key: a, b"; empty if they are equal.
std::string difference(const nlohmann::ordered_json& ours, const nlohmann::ordered_json& theirs, const std::string& prefix) {
  for (const auto& [key, value] : ours.items()) {
    const std::string full = prefix + key;
    if (full == "program" || full == "train.steps") continue;
    if (!theirs.contains(key)) return full;
    if (value.is_object() && theirs[key].is_object()) {
      if (const std::string inner = difference(value, theirs[key], full + "."); !inner.empty()) return inner;
    } else if (value != theirs[key]) {
      return full;
    }
  }
  return "";
}

// Step of a line of metrics; nothing if the line is cut (a crash while it was written).
std::optional<std::int64_t> step_of(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer()) return std::nullopt;
  return json["step"].get<std::int64_t>();
}

}  // namespace

RunFolder RunFolder::create(const fs::path& folder, const Trainer& trainer, const BigramCounts& corpus,
                            const std::string& program) {
  if (fs::exists(folder / config_name))
    throw InputError("out", "'" + folder.string() + "', which already holds a run", "another folder, or --resume");
  require_writable_folder("out", folder);
  RunFolder run(folder);
  run.options_ = trainer.options();
  run.corpus_ = corpus;
  run.program_ = program;
  std::error_code ignored;
  fs::remove(run.file(first_name), ignored);  // of a run whose config.json is gone
  if (run.options_.task == TaskKind::bigram) write_file_atomically(run.file(corpus_name), to_tsv(corpus));
  write_safetensors(run.file(initial_name), initial_file(trainer.model()));
  run.save(trainer.state());
  write_file_atomically(run.file(metrics_name), "");
  // Last: a folder with config.json holds a complete run.
  write_file_atomically(run.file(config_name), to_json(run.options_, program));
  return run;
}

RunFolder RunFolder::open(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / config_name, ignored))
    throw InputError("run", "'" + folder.string() + "' (no config.json in it)", "a folder that popgrad train wrote");
  RunFolder run(folder);
  const std::string text = read_file("run", run.file(config_name));
  run.options_ = parse_train_options(run.file(config_name).string(), text);
  run.corpus_ = run.options_.task == TaskKind::bigram
                    ? parse_tsv(run.file(corpus_name).string(), read_file("run", run.file(corpus_name)))
                    : default_counts();
  run.program_ = nlohmann::json::parse(text).value("program", "");
  run.options_.validate(run.corpus_);
  return run;
}

FiniteModel RunFolder::initial_model() const {
  const std::string argument = file(initial_name).string();
  const TensorFile tensors = read_safetensors(argument, file(initial_name));
  const ModelOptions shape = options_.model_options(corpus_);
  FiniteModel model;
  model.frozen = {tensors.at(argument, "tok", shape.N, shape.d), tensors.at(argument, "pos", shape.T, shape.d),
                  tensors.at(argument, "out", shape.N, shape.d), tensors.at(argument, "wv1", shape.d, shape.d),
                  tensors.at(argument, "wo1", shape.d, shape.d), tensors.at(argument, "wv2", shape.d, shape.d)};
  for (const Map map : all_maps) model.trained.at(map) = tensors.at(argument, name(map), shape.d, shape.d);
  model.score_scale = shape.score_scale;
  model.feed_forward = shape.feed_forward;
  model.validate();
  return model;
}

TrainState RunFolder::latest() const {
  const std::string argument = file(latest_name).string();
  const TensorFile tensors = read_safetensors(argument, file(latest_name));
  const int d = options_.model.d;
  TrainState state;
  for (const Map map : all_maps) {
    state.trained.at(map) = tensors.at(argument, name(map), d, d);
    state.velocity.at(map) = tensors.at(argument, std::string("velocity.") + name(map), d, d);
  }
  state.step = integer(tensors, argument, "step");
  state.stream = {integer(tensors, argument, "sequences"), integer(tensors, argument, "loss_positions"),
                  integer(tensors, argument, "cycles"), integer(tensors, argument, "empty_batches")};
  return state;
}

std::optional<FirstGradient> RunFolder::first_gradient() const {
  std::error_code ignored;
  if (!fs::exists(file(first_name), ignored)) return std::nullopt;
  const std::string argument = file(first_name).string();
  const TensorFile tensors = read_safetensors(argument, file(first_name));
  const auto format = tensors.metadata.find("format");
  if (format == tensors.metadata.end() || format->second != first_format)
    throw InputError(argument, format == tensors.metadata.end() ? "no format" : "format '" + format->second + "'",
                     std::string("format '") + first_format + "'");
  const int d = options_.model.d;
  FirstGradient first;
  first.gradient = first.after = TrainedMaps::zero(d);
  for (const Map map : all_maps) {
    const bool moves = options_.freeze.at(map) == 0 && (map != Map::wf || options_.model.feed_forward);
    if (!moves && tensors.tensors.contains(name(map)))
      throw InputError(argument, std::string("a gradient of ") + name(map), "only maps that the first update moves");
    if (!moves) continue;
    first.moved.push_back(map);
    first.gradient.at(map) = tensors.at(argument, name(map), d, d);
    first.after.at(map) = tensors.at(argument, std::string("after.") + name(map), d, d);
  }
  first.sequences = integer(tensors, argument, "sequences");
  first.loss_positions = integer(tensors, argument, "loss_positions");
  first.loss = finite_number(tensors, argument, "loss");
  if (first.sequences != options_.batch)
    throw InputError(argument, std::to_string(first.sequences) + " sequences",
                     "the run's batch of " + std::to_string(options_.batch));
  return first;
}

void RunFolder::prepare_resume(const TrainOptions& options) {
  using nlohmann::ordered_json;
  const ordered_json ours = ordered_json::parse(to_json(options_, "")), theirs = ordered_json::parse(to_json(options, ""));
  std::string key = difference(ours, theirs, "");
  if (key.empty()) key = difference(theirs, ours, "");
  if (!key.empty())
    throw InputError(key, "another value than the run in '" + path_.string() + "'",
                     "the run's own; only train.steps may grow");
  const std::int64_t done = latest().step;
  if (options.steps < done)
    throw InputError("train.steps", std::to_string(options.steps),
                     "at least the " + std::to_string(done) + " steps already done");

  std::string kept;
  std::int64_t lines = 0;
  std::istringstream in(metrics_text());
  const auto evaluated = [&](std::int64_t step) { return step % options.eval_every == 0 || step == options.steps; };
  for (std::string line; std::getline(in, line);) {
    const auto step = step_of(line);
    if (!step || *step > done || done == 0) break;  // step 0 is saved before it is evaluated, and evaluated again
    if (!evaluated(*step)) continue;
    kept += line + "\n";
    ++lines;
  }
  const std::int64_t due =
      done == 0 ? 0 : done / options.eval_every + 1 + (done == options.steps && done % options.eval_every != 0 ? 1 : 0);
  if (lines != due)
    throw InputError(file(metrics_name).string(), std::to_string(lines) + " evaluations up to step " + std::to_string(done),
                     std::to_string(due) + " of them");
  write_file_atomically(file(metrics_name), kept);
  options_ = options;
  write_file_atomically(file(config_name), to_json(options_, program_));
  std::error_code ignored;
  fs::remove(file(summary_name), ignored);  // it described the shorter run
}

void RunFolder::save(const TrainState& state) const {
  TensorFile tensors;
  for (const Map map : all_maps) {
    tensors.tensors[name(map)] = state.trained.at(map);
    tensors.tensors[std::string("velocity.") + name(map)] = state.velocity.at(map);
  }
  tensors.metadata = {{"format", "popgrad-state-1"},
                      {"step", std::to_string(state.step)},
                      {"sequences", std::to_string(state.stream.sequences)},
                      {"loss_positions", std::to_string(state.stream.loss_positions)},
                      {"cycles", std::to_string(state.stream.cycles)},
                      {"empty_batches", std::to_string(state.stream.empty_batches)}};
  write_safetensors(file(latest_name), tensors);
}

void RunFolder::save(const FirstGradient& first) const {
  TensorFile tensors;
  for (const Map map : first.moved) {
    tensors.tensors[name(map)] = first.gradient.at(map);
    tensors.tensors[std::string("after.") + name(map)] = first.after.at(map);
  }
  tensors.metadata = {{"format", first_format},
                      {"sequences", std::to_string(first.sequences)},
                      {"loss_positions", std::to_string(first.loss_positions)},
                      {"loss", fmt::format("{}", first.loss)}};  // the shortest text that reads back to the same double
  write_safetensors(file(first_name), tensors);
}

void RunFolder::append(const Metrics& metrics) const {
  std::ofstream out(file(metrics_name), std::ios::binary | std::ios::app);
  out << metrics_line(metrics) << "\n";
  out.close();
  if (!out) throw EnvironmentError("cannot write " + file(metrics_name).string() + ": disk full or permission denied");
}

std::string RunFolder::metrics_text() const {
  return fs::exists(file(metrics_name)) ? read_file("run", file(metrics_name)) : std::string();
}

void RunFolder::write_summary() const {
  write_file_atomically(file(summary_name), summarize(file(metrics_name).string(), metrics_text()));
}

}  // namespace popgrad
