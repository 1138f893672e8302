#include <fmt/core.h>

#include <algorithm>

#include "app/config_keys.hpp"

namespace popgrad {
namespace {

struct ToText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool x) const { return x ? "true" : "false"; }
  std::string operator()(std::int64_t x) const { return std::to_string(x); }
  std::string operator()(double x) const { return fmt::format("{}", x); }
  std::string operator()(const std::string& x) const { return x; }
};

}  // namespace

std::string to_text(const KeyValue& value) { return std::visit(ToText{}, value); }

std::string keys_table(const std::string& verb) {
  const Config defaults;
  const auto default_of = [&](const Key& key) {
    const std::string text = to_text(key.get(defaults, verb == "train"));
    return text.empty() ? std::string("-") : text;
  };
  std::size_t name = 3, type = 4, value = 7;
  for (const Key& key : config_keys()) {
    if (!key.read_by(verb)) continue;
    name = std::max(name, key.name.size());
    type = std::max(type, key.type.size());
    value = std::max(value, default_of(key).size());
  }
  std::string table = fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", "key", name, "type", type, "default", value, "meaning");
  for (const Key& key : config_keys())
    if (key.read_by(verb))
      table += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", key.name, name, key.type, type, default_of(key), value, key.doc);
  return table +
         "A key stands in a TOML file ([train] rate = 0.5) or on the command line (--set train.rate=0.5), which wins.\n";
}

}  // namespace popgrad
