// The configuration: what a TOML file, --set and the short options decide, in one typed place.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/setting.hpp"
#include "core/minimal_task.hpp"
#include "numerics/flow.hpp"
#include "numerics/train_options.hpp"

namespace popgrad {

struct Config {
  std::uint64_t seed = 1;
  std::optional<int> threads;  // all of them if empty; never part of a result
  double level = 1e-6;         // family-wise
  double work = 1;
  bool full = false;           // verify: the paper's size
  // Of compare, in units of the run's batch: the reference, and minibatches at the initial weights.
  std::int64_t compare_groups = 96, compare_minibatches = 128;
  std::optional<std::filesystem::path> corpus;  // the embedded counts if empty
  // What verify fixes for every claim; empty: each claim chooses.
  std::optional<int> N, T, d;
  std::optional<Background> background;
  std::optional<Query> query;
  TrainOptions train;
  FlowOptions flow;  // its task is N, T, background, query above; its freeze that of train
};

// Sets one key; `format` and `program` of a file, which say what wrote it, set none. Throws Error (exit 2, one line): an unknown key with the nearest known one; a wrong type or range with the
// key, the value and what was expected; a key on the command line that `verb` does not read.
void apply(Config& config, const Setting& setting, const std::string& verb);

// `base`, then the settings of `file` (none if empty), then `command_line` in order: the last one wins.
// model.dim, train.optimizer and init.*.kind reset the defaults that depend on them, never what the user set.
Config load_config(const std::filesystem::path& file, const std::vector<Setting>& command_line, const std::string& verb,
                   const Config& base = {});

// "key=value" of --set. InputError if there is no '=' or no key.
Setting parse_set(const std::string& text);

}  // namespace popgrad
