// The record of a run's first update.
#include <fmt/format.h>

#include "core/errors.hpp"
#include "numerics/run_files.hpp"
#include "numerics/run_folder.hpp"
#include "numerics/run_state.hpp"
#include "numerics/training_gradient.hpp"

namespace popgrad {
namespace {

constexpr const char* first_format = "popgrad-first-gradient-2";

std::string after(Table table) { return std::string("after.") + name(table); }

}  // namespace

std::optional<FirstGradient> RunFolder::first_gradient() const {
  std::error_code ignored;
  if (!std::filesystem::exists(file(first_name), ignored)) return std::nullopt;
  const std::string argument = file(first_name).string();
  const TensorFile tensors = read_safetensors(argument, file(first_name));
  require_format(tensors, argument, first_format);
  const ModelOptions shape = options_.model_options(corpus_);
  FirstGradient first;
  first.moved = moving_tables(options_, 0);
  for (const Table table : first.moved) {
    first.gradient[table] = tensors.at(argument, name(table), rows_of(table, shape), shape.d);
    first.after[table] = tensors.at(argument, after(table), rows_of(table, shape), shape.d);
  }
  for (const Table table : every_table)
    if (!first.gradient.contains(table) && tensors.tensors.contains(name(table)))
      throw InputError(argument, std::string("a gradient of ") + name(table), "only what the first update moves");
  first.sequences = metadata_integer(tensors, argument, "sequences");
  first.loss_positions = metadata_integer(tensors, argument, "loss_positions");
  first.loss = metadata_number(tensors, argument, "loss");
  if (first.sequences != options_.batch)
    throw InputError(argument, std::to_string(first.sequences) + " sequences",
                     "the run's batch of " + std::to_string(options_.batch));
  return first;
}

void RunFolder::save(const FirstGradient& first) const {
  TensorFile tensors;
  for (const Table table : first.moved) {
    tensors.tensors[name(table)] = first.gradient.at(table);
    tensors.tensors[after(table)] = first.after.at(table);
  }
  tensors.metadata = {{"format", first_format},
                      {"sequences", std::to_string(first.sequences)},
                      {"loss_positions", std::to_string(first.loss_positions)},
                      {"loss", fmt::format("{}", first.loss)}};  // the shortest text that reads back to the same double
  write_safetensors(file(first_name), tensors);
}

}  // namespace popgrad
