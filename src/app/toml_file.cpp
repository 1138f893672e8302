#include "app/toml_file.hpp"

#if __has_include(<toml++/toml.hpp>)
#include <toml++/toml.hpp>
#else
#include <toml++/toml.h>
#endif

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

struct Found {
  unsigned line;
  Setting setting;
};

Setting::Kind kind_of(const toml::node& node) {
  if (node.is_string()) return Setting::Kind::string;
  if (node.is_integer()) return Setting::Kind::integer;
  if (node.is_floating_point()) return Setting::Kind::number;
  if (node.is_boolean()) return Setting::Kind::boolean;
  if (node.is_array()) return Setting::Kind::array;
  return Setting::Kind::other;
}

std::string text_of(const toml::node& node) {
  if (const auto* string = node.as_string()) return string->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  if (const auto* array = node.as_array()) {
    std::string list;
    for (const toml::node& element : *array)
      list += (list.empty() ? "" : ", ") + (element.is_string() ? "\"" + text_of(element) + "\"" : text_of(element));
    return "[" + list + "]";
  }
  std::ostringstream text;
  node.visit([&](const auto& inner) {
    if constexpr (!toml::is_table<decltype(inner)> && !toml::is_array<decltype(inner)>) {
      text.precision(17);
      text << inner.get();
    }
  });
  return text.str();
}

void flatten(const toml::table& table, const std::string& prefix, const std::filesystem::path& file,
             std::vector<Found>& found) {
  for (const auto& [key, node] : table) {
    const std::string dotted = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    const toml::table* inner = node.as_table();
    if (inner != nullptr && !inner->empty()) {
      flatten(*inner, dotted, file, found);
      continue;
    }
    if (inner != nullptr) continue;  // an empty table sets nothing
    const unsigned line = node.source().begin.line;
    Setting setting;
    setting.key = dotted;
    setting.value = text_of(node);
    setting.kind = kind_of(node);
    setting.unknown_prefix = file.string() + ":" + std::to_string(line) + ": ";
    setting.where = setting.unknown_prefix + dotted;
    setting.folder = file.parent_path();
    found.push_back({line, std::move(setting)});
  }
}

}  // namespace

std::vector<Setting> read_toml(const std::filesystem::path& file) {
  const std::string text = read_file("--config", file);
  toml::table table;
  try {
    table = toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::usage, file.string() + ":" + std::to_string(error.source().begin.line) +
                                     ": not valid TOML: " + std::string(error.description()));
  }
  std::vector<Found> found;
  flatten(table, "", file, found);
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.line < b.line; });
  std::vector<Setting> settings;
  for (Found& f : found) settings.push_back(std::move(f.setting));
  return settings;
}

}  // namespace popgrad
