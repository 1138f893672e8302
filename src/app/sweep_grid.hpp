// The runs of a sweep: every setting of its file with every seed, and what each is called.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/config_keys.hpp"
#include "app/sweep_file.hpp"
#include "core/bigram_counts.hpp"

namespace popgrad {

using KeyValues = std::vector<std::pair<std::string, KeyValue>>;

struct SweepSetting {
  std::string name;     // "frozen train.rate=0.5": what makes it different; "all" where there is one setting alone
  std::string variant;  // empty without variants
  KeyValues varied;     // what it has of each key that the grid varies
  KeyValues options;    // every key that decides a training run, run.seed apart
  Config config;        // its seed is that of the first run
  std::shared_ptr<const BigramCounts> corpus;
};

struct SweepRun {
  std::size_t setting = 0;
  std::uint64_t seed = 0;
  std::string folder;  // "frozen,train.rate=0.5,seed=3", below the folder of the sweep
};

struct SweepGrid {
  std::vector<std::string> varied;     // keys
  std::vector<SweepSetting> settings;  // variants outermost, the last varied key innermost
  std::vector<std::uint64_t> seeds;
  std::vector<SweepRun> runs;  // seeds innermost

  TrainOptions options(const SweepRun& run) const;
};

// `file` with the keys of `sets` (--set) in place of its own. One line, as Error (exit 2), for: an unknown key (with the
// nearest); a value of wrong type or range, with its place; a key that popgrad train does not read; a varied key that a
// variant or --set sets too; a seed given twice; two settings that are the same runs; a setting that no run can have (its
// name comes first).
SweepGrid make_sweep_grid(const SweepFile& file, const std::vector<Setting>& sets);

// The options of a training run under their keys, as SweepSetting::options has them: without run.seed and the keys of the
// task that the run does not train on. A corpus is named by its source (core/bigram_counts.hpp), not by where it lies.
KeyValues run_options(const Config& config, const BigramCounts& corpus);

// Text that no other text has in common: letters, digits, '.', '_', '-', '+' are themselves, any other byte is %XX.
std::string file_name_of(const std::string& text);

}  // namespace popgrad
