#include "app/sweep_checks.hpp"

#include <algorithm>
#include <string>

#include "app/config_keys.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

void require_key(const Setting& setting) {
  const std::vector<Key>& keys = config_keys();
  const auto key = std::ranges::find_if(keys, [&](const Key& k) { return k.name == setting.key; });
  if (key == keys.end()) {
    std::vector<std::string> names;
    for (const Key& k : keys)
      if (k.read_by("train")) names.push_back(k.name);
    const std::string hint = did_you_mean(setting.key, names);
    throw Error(ExitCode::usage,
                setting.unknown_prefix + "unknown key '" + setting.key + "'" +
                    (hint.empty() ? "; expected a key listed by 'popgrad train --keys', or variant" : hint));
  }
  if (!key->read_by("train"))
    throw InputError(setting.where, "a key that training does not read", "a key listed by 'popgrad train --keys'");
  if (!key->in_results)
    throw InputError(setting.where, "a key that changes no result", "no such key: popgrad sweep --threads");
}

}  // namespace

void require_known_keys(const SweepFile& file, const std::vector<Setting>& sets) {
  for (const SweepKey& key : file.keys) require_key(key.values.front());
  const auto varies = [&](const std::string& name) {
    return std::ranges::any_of(file.keys, [&](const SweepKey& key) { return key.varied && key.key == name; });
  };
  for (const SweepVariant& variant : file.variants)
    for (const Setting& setting : variant.settings) {
      require_key(setting);
      if (varies(setting.key))
        throw InputError(setting.where, "a key that the grid varies, in variant '" + variant.name + "'",
                         "a list outside the variants, or one value in each");
    }
  for (const Setting& setting : sets) {
    if (setting.key == "run.seed")
      throw InputError(setting.where, "'" + setting.value + "'", "no seed: those of the file are used");
    require_key(setting);
    const bool in_variant = std::ranges::any_of(file.variants, [&](const SweepVariant& variant) {
      return std::ranges::any_of(variant.settings, [&](const Setting& s) { return s.key == setting.key; });
    });
    if (varies(setting.key) || in_variant)
      throw InputError(setting.where, "'" + setting.value + "'", "a key that the sweep does not vary itself");
  }
}

}  // namespace popgrad
