#include "app/common_options.hpp"

#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/config_keys.hpp"
#include "app/config_parse.hpp"

namespace popgrad {
namespace {

struct Known {
  const char* option;
  const char* key;
};
constexpr Known known[] = {{"-N", "data.vocab"},   {"-T", "data.length"},        {"-d", "model.dim"},
                           {"--seed", "run.seed"}, {"--threads", "run.threads"}, {"--level", "run.level"}};

const Key& key_named(const std::string& name) {
  return *std::find_if(config_keys().begin(), config_keys().end(), [&](const Key& key) { return key.name == name; });
}

}  // namespace

void CommonOptions::put_task(const std::string& background, const std::string& query) {
  if (!background.empty()) sets.push_back("data.background=" + parse_word(typed("--background", background), {"any", "avoid"}));
  if (!query.empty()) sets.push_back("data.query=" + parse_word(typed("--query", query), {"last", "any"}));
}

Config CommonOptions::load(const Config& base) const {
  std::vector<Setting> settings;
  for (const std::string& text : sets) settings.push_back(parse_set(text));
  for (const Short& given : shorts) {
    if (!given.value) continue;
    Setting setting;
    setting.key = given.key;
    setting.value = *given.value;
    setting.where = given.option;
    setting.command_line = true;
    settings.push_back(setting);
  }
  Config loaded = load_config(config, settings, verb, base);
  if (loaded.threads) omp_set_num_threads(*loaded.threads);
  return loaded;
}

void add_config_options(CLI::App& verb, CommonOptions& options) {
  options.verb = verb.get_name();
  verb.add_option("--config", options.config, "TOML file with configuration keys")->type_name("F.toml");
  verb.add_option("--set", options.sets, "set one configuration key; repeat the option for others; wins over --config")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("KEY=VALUE");
  verb.add_flag_callback(
      "--keys",
      [&verb, &options] {
        options.keys = true;
        for (CLI::Option* option : verb.get_options()) option->required(false);
      },
      "print the table of configuration keys and exit");
  for (const Known& k : known)
    if (key_named(k.key).read_by(options.verb)) options.shorts.push_back({k.option, k.key, {}});
  for (CommonOptions::Short& s : options.shorts)  // after the vector has its final size: CLI11 keeps the addresses
    verb.add_option(s.option, s.value, std::string(s.key) + ": " + key_named(s.key).doc)->type_name("VALUE");
}

void add_out_option(CLI::App& verb, CommonOptions& options, const std::string& meaning) {
  verb.add_option("--out", options.out, meaning)->type_name("DIR");
}

void add_output_options(CLI::App& verb, CommonOptions& options, const std::string& quiet) {
  verb.add_flag("--no-figures", options.no_figures, "draw no figures");
  verb.add_flag("--quiet", options.quiet, quiet);
}

}  // namespace popgrad
