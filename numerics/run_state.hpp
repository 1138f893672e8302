// A state of a run as a safetensors file.
#pragma once
#include "numerics/safetensors.hpp"
#include "numerics/trainer.hpp"

namespace popgrad {

// SHA-1 of everything that decides the weights of a run at a step: its resolved keys but those that only_records(), and the
// counts of its corpus.
std::string configuration_hash(const TrainOptions& options, const BigramCounts& corpus);

// Tensors: every matrix that is trained under its name; "velocity." and its name (sgd), or "mean." and "square." and its name
// (adamw). Metadata: format, step, the counts of the stream, "updates." and each name, configuration (the hash), and frozen,
// the file that has all other matrices.
TensorFile state_file(const TrainState& state, const TrainOptions& options, const std::string& configuration,
                      const std::string& frozen);

// The inverse. InputError(argument, ...) on another format, configuration, shape, or a value that is not finite.
TrainState parse_state(const std::string& argument, const TensorFile& file, const TrainOptions& options,
                       const BigramCounts& corpus, const std::string& configuration);

// metadata[key] of a file, or InputError(argument, ...).
std::string metadata_text(const TensorFile& file, const std::string& argument, const std::string& key);
std::int64_t metadata_integer(const TensorFile& file, const std::string& argument, const std::string& key);  // >= 0
double metadata_number(const TensorFile& file, const std::string& argument, const std::string& key);         // finite
void require_format(const TensorFile& file, const std::string& argument, const char* format);

}  // namespace popgrad
