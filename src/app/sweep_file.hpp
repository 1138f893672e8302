// The TOML file of a sweep as it stands: keys with one value, keys with a list of values, and named variants.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/setting.hpp"

namespace popgrad {

// One key of popgrad train and what it takes in turn.
struct SweepKey {
  std::string key;
  std::string where;            // "F.toml:12: train.rate"
  std::vector<Setting> values;  // one at least
  bool varied = false;          // written as a list, if of one value
};

struct SweepVariant {
  std::string name;
  std::string where;              // "F.toml:20: variant 'frozen'"
  std::vector<Setting> settings;  // may be empty: the keys outside variants alone
};

struct SweepFile {
  std::vector<SweepKey> keys;  // by lines; without run.seed
  SweepKey seeds;              // run.seed: an integer, a list of integers, or a text "1..5"
  std::vector<SweepVariant> variants;
};

// Throws InputError(where, ...) or Error (exit 2, one line) on: no file, no TOML, an empty list, a list in a list, a variant
// without a name, of a name used twice or that is no word of at most 40 letters, digits, '.', '_', '-'. A key of popgrad
// train whose one value is a list (popgrad train --keys says so) is never varied outside variants.
SweepFile read_sweep_file(const std::filesystem::path& file);

}  // namespace popgrad
