// Options that several verbs share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/config.hpp"

namespace CLI {
class App;
}

namespace popgrad {

struct CommonOptions {
  std::string verb;
  std::string config;             // --config
  std::vector<std::string> sets;  // --set, in order
  struct Short {
    const char* option;  // "-N"
    const char* key;     // "data.vocab"
    std::optional<std::string> value;
  };
  std::vector<Short> shorts;
  std::string out;    // --out; empty: not given
  bool keys = false;  // --keys: print the keys instead of running
  bool no_figures = false;
  bool quiet = false;

  // --background and --query of a verb, where not empty, as the configuration keys they stand for. InputError, naming the option.
  void put_task(const std::string& background, const std::string& query);

  // `base` (the defaults), then the file, then --set, then the short options. Also sets the number of threads.
  Config load(const Config& base = {}) const;
};

// --config, --set, --keys and those short options whose key the verb reads. With --keys nothing else is required.
void add_config_options(CLI::App& verb, CommonOptions& options);
void add_out_option(CLI::App& verb, CommonOptions& options, const std::string& meaning);
// --no-figures and --quiet; `quiet` says what is left out.
void add_output_options(CLI::App& verb, CommonOptions& options, const std::string& quiet);

}  // namespace popgrad
