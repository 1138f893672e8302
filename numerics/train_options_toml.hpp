// TrainOptions as TOML under the configuration keys of popgrad train: the config.toml of a run folder.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "numerics/train_options.hpp"

namespace popgrad {

inline constexpr const char* run_format = "popgrad-run-2";
// The counts behind the bigram law, beside config.toml, which names them as data.corpus.
inline constexpr const char* run_corpus_name = "corpus.counts.tsv";

// Every key that decides the run and its value as TOML, in a fixed order: "train.rate", "0.2". Resolved: no value is left to a
// default (scales of initializations are those in force), and the part of the task that is not in use is left out.
using ResolvedKeys = std::vector<std::pair<std::string, std::string>>;
ResolvedKeys resolved_keys(const TrainOptions& options);

// Keys that say how long a run is and what is written of it, never what its weights are at a step.
bool only_records(const std::string& key);

// `format`, `program`, then resolved_keys() by tables. popgrad train --config reads it.
std::string to_toml(const TrainOptions& options, const std::string& program);

struct RunConfig {
  TrainOptions options;
  std::string program;
};

// The inverse. InputError(argument, ...) on a text that is not TOML, another format, a key that is missing, unknown or of
// another type; validate() judges the values.
RunConfig parse_run_config(const std::string& argument, const std::string& text);

}  // namespace popgrad
