// The registry of configuration keys: one place for name, type, default, meaning and setter.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "app/config.hpp"

namespace popgrad {

// A key's value, typed for JSON; empty when nothing is set.
using KeyValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;
std::string to_text(const KeyValue& value);  // shortest decimal that reads back; empty for no value

struct Key {
  std::string name;                // "data.vocab"
  std::string type;                // "integer", "number", "true|false", "path", or its words: "fixed|random"
  std::string doc;                 // one line
  std::vector<std::string> verbs;  // which verbs read it
  bool in_results = true;          // false: it cannot change a result (threads)
  std::function<void(Config&, const Setting&)> set;  // throws InputError(setting.where, ...)
  // The value in force. train: as a training run sees it; otherwise as the claims do, who choose what is left empty.
  std::function<KeyValue(const Config&, bool train)> get;

  bool read_by(const std::string& verb) const;
};

// In the order in which they are documented.
const std::vector<Key>& config_keys();

// The table `popgrad VERB --keys` prints: key, type, default, meaning.
std::string keys_table(const std::string& verb);

}  // namespace popgrad
