#include "app/config.hpp"

#include <algorithm>

#include "app/config_keys.hpp"
#include "app/toml_file.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace {

// A dimension brings its default scales and initializations, an optimizer its default rates, a kind its default scale: what the user says about those comes
// after, wherever it stands.
int rank(const std::string& key) {
  if (key == "model.dim" || key == "train.optimizer") return 0;
  return key.ends_with(".kind") ? 1 : 2;
}

// The config.toml of a run says what wrote it. Of that only the format matters, and it sets nothing.
bool is_provenance(const Setting& setting) {
  if (setting.command_line || (setting.key != "format" && setting.key != "program")) return false;
  if (setting.key == "format" && setting.value != run_format)
    throw InputError(setting.where, "'" + setting.value + "'", std::string("'") + run_format + "', or no format");
  return true;
}

}  // namespace

void apply(Config& config, const Setting& setting, const std::string& verb) {
  if (is_provenance(setting)) return;
  const std::vector<Key>& keys = config_keys();
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == setting.key; });
  if (key == keys.end()) {
    std::vector<std::string> names;
    for (const Key& k : keys) names.push_back(k.name);
    const std::string hint = did_you_mean(setting.key, names);
    throw Error(ExitCode::usage,
                setting.unknown_prefix + "unknown key '" + setting.key + "'" +
                    (hint.empty() ? "; expected a key listed by 'popgrad verify --keys' or 'popgrad train --keys'" : hint));
  }
  // A file may serve several verbs; on the command line a key without effect is a mistake.
  if (setting.command_line && !key->read_by(verb)) {
    std::string readers;
    for (const std::string& v : key->verbs) readers += (readers.empty() ? "" : ", ") + v;
    throw InputError(setting.where, "'" + setting.value + "'",
                     "a key that '" + verb + "' reads ('" + key->name + "' is for " + readers + ")");
  }
  key->set(config, setting);
}

Config load_config(const std::filesystem::path& file, const std::vector<Setting>& command_line, const std::string& verb,
                   const Config& base) {
  std::vector<Setting> settings = file.empty() ? std::vector<Setting>() : read_toml(file);
  settings.insert(settings.end(), command_line.begin(), command_line.end());
  std::stable_sort(settings.begin(), settings.end(),
                   [](const Setting& a, const Setting& b) { return rank(a.key) < rank(b.key); });
  Config config = base;
  for (const Setting& setting : settings) apply(config, setting, verb);
  return config;
}

Setting parse_set(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError("--set", "'" + text + "'", "key=value, such as train.rate=0.5");
  Setting setting;
  setting.key = text.substr(0, equals);
  setting.value = text.substr(equals + 1);
  setting.where = "--set " + setting.key;
  setting.unknown_prefix = "--set: ";
  setting.command_line = true;
  return setting;
}

}  // namespace popgrad
