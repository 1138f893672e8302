#include "numerics/run_state.hpp"

#include <charconv>
#include <cmath>

#include "core/errors.hpp"
#include "core/sha1.hpp"
#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace {

constexpr const char* state_format = "popgrad-state-2";

std::string first_name(OptimizerKind kind, Table table) {
  return (kind == OptimizerKind::sgd ? "velocity." : "mean.") + std::string(name(table));
}
std::string second_name(Table table) { return std::string("square.") + name(table); }
std::string updates_key(Table table) { return std::string("updates.") + name(table); }

const Matrix& finite(const TensorFile& file, const std::string& argument, const std::string& name, int rows, int columns) {
  const Matrix& matrix = file.at(argument, name, rows, columns);
  if (!matrix.allFinite()) throw InputError(argument, "tensor '" + name + "' with an entry that is not finite", "finite numbers");
  return matrix;
}

}  // namespace

std::string configuration_hash(const TrainOptions& options, const BigramCounts& corpus) {
  std::string text;
  for (const auto& [key, value] : resolved_keys(options))
    if (!only_records(key)) text += key + " = " + value + "\n";
  if (options.task == TaskKind::bigram) text += to_tsv(corpus);
  return sha1_hex(text);
}

std::string metadata_text(const TensorFile& file, const std::string& argument, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) throw InputError(argument, "no metadata " + key, "a file that popgrad train wrote");
  return found->second;
}

std::int64_t metadata_integer(const TensorFile& file, const std::string& argument, const std::string& key) {
  const std::string text = metadata_text(file, argument, key);
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw InputError(argument, "metadata " + key + " = '" + text + "'", "a non-negative integer");
  return std::stoll(text);
}

double metadata_number(const TensorFile& file, const std::string& argument, const std::string& key) {
  const std::string text = metadata_text(file, argument, key);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw InputError(argument, "metadata " + key + " = '" + text + "'", "a finite number");
  return value;
}

void require_format(const TensorFile& file, const std::string& argument, const char* format) {
  const auto found = file.metadata.find("format");
  if (found == file.metadata.end() || found->second != format)
    throw InputError(argument, found == file.metadata.end() ? "no format" : "format '" + found->second + "'",
                     std::string("format '") + format + "'");
}

TensorFile state_file(const TrainState& state, const TrainOptions& options, const std::string& configuration,
                      const std::string& frozen) {
  TensorFile file;
  file.metadata = {{"format", state_format},
                   {"configuration", configuration},
                   {"frozen", frozen},
                   {"step", std::to_string(state.step)},
                   {"sequences", std::to_string(state.stream.sequences)},
                   {"loss_positions", std::to_string(state.stream.loss_positions)},
                   {"cycles", std::to_string(state.stream.cycles)},
                   {"empty_batches", std::to_string(state.stream.empty_batches)}};
  for (const Table table : options.trained()) {
    const OptimizerMemory& memory = state.memory.at(table);
    file.tensors[name(table)] = state.weights.at(table);
    file.tensors[first_name(options.optimizer, table)] = memory.first;
    if (options.optimizer == OptimizerKind::adamw) file.tensors[second_name(table)] = memory.second;
    file.metadata[updates_key(table)] = std::to_string(memory.updates);
  }
  return file;
}

TrainState parse_state(const std::string& argument, const TensorFile& file, const TrainOptions& options,
                       const BigramCounts& corpus, const std::string& configuration) {
  require_format(file, argument, state_format);
  if (const std::string of = metadata_text(file, argument, "configuration"); of != configuration)
    throw InputError(argument, "a state of another configuration, " + of, "one of config.toml beside it, " + configuration);
  const ModelOptions shape = options.model_options(corpus);
  TrainState state;
  for (const Table table : options.trained()) {
    const int rows = rows_of(table, shape), d = shape.d;
    state.weights[table] = finite(file, argument, name(table), rows, d);
    OptimizerMemory& memory = state.memory[table];
    memory.first = finite(file, argument, first_name(options.optimizer, table), rows, d);
    if (options.optimizer == OptimizerKind::adamw) memory.second = finite(file, argument, second_name(table), rows, d);
    memory.updates = metadata_integer(file, argument, updates_key(table));
  }
  state.step = metadata_integer(file, argument, "step");
  state.stream = {metadata_integer(file, argument, "sequences"), metadata_integer(file, argument, "loss_positions"),
                  metadata_integer(file, argument, "cycles"), metadata_integer(file, argument, "empty_batches")};
  return state;
}

}  // namespace popgrad
