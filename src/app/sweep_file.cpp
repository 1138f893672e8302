#include "app/sweep_file.hpp"

#if __has_include(<toml++/toml.hpp>)
#include <toml++/toml.hpp>
#else
#include <toml++/toml.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/config_keys.hpp"
#include "app/config_parse.hpp"
#include "core/atomic_file.hpp"
#include "core/byte_text.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  SweepFile read(const toml::table& root) {
    for (const auto& [key, node] : root)
      // The config.toml of a run says what wrote it, and is the beginning of a sweep like any other file.
      if (key.str() != "variant" && key.str() != "format" && key.str() != "program") keys(std::string(key.str()), node);
    std::stable_sort(found_.keys.begin(), found_.keys.end(),
                     [&](const SweepKey& a, const SweepKey& b) { return line_.at(a.key) < line_.at(b.key); });
    if (const toml::node* list = root.get("variant")) variants(*list);
    return std::move(found_);
  }

 private:
  std::string place(const toml::node& node) const {
    return fmt::format("{}:{}: ", file_.string(), node.source().begin.line);
  }

  // A key's value is a list by itself: the array is one value.
  static bool takes_list(const std::string& key) {
    const auto& all = config_keys();
    const auto known = std::find_if(all.begin(), all.end(), [&](const Key& k) { return k.name == key; });
    return known != all.end() && known->type.starts_with("list");
  }

  Setting setting(const std::string& key, const toml::node& node, const std::string& where) const {
    Setting s;
    s.key = key;
    s.where = where;
    s.unknown_prefix = place(node);
    s.folder = file_.parent_path();
    if (const auto* string = node.as_string()) {
      s.kind = Setting::Kind::string;
      s.value = string->get();
    } else if (const auto* integer = node.as_integer()) {
      s.kind = Setting::Kind::integer;
      s.value = std::to_string(integer->get());
    } else if (const auto* number = node.as_floating_point()) {
      s.kind = Setting::Kind::number;
      s.value = fmt::format("{}", number->get());
    } else if (const auto* boolean = node.as_boolean()) {
      s.kind = Setting::Kind::boolean;
      s.value = boolean->get() ? "true" : "false";
    } else if (const auto* array = node.as_array()) {
      s.kind = Setting::Kind::other;
      s.value = "a list";
      if (takes_list(key)) s = list_setting(std::move(s), *array);
    } else {
      s.kind = Setting::Kind::other;
      s.value = node.is_table() ? "a table" : "a date or time";
    }
    return s;
  }

  static nlohmann::json json_of(const toml::node& node) {
    if (const auto* array = node.as_array()) {
      nlohmann::json list = nlohmann::json::array();
      for (const toml::node& element : *array) list.push_back(json_of(element));
      return list;
    }
    if (const auto* string = node.as_string()) return string->get();
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    return nullptr;
  }

  // As the command line writes a list, whose meaning the key decides.
  static Setting list_setting(Setting s, const toml::array& array) {
    s.kind = Setting::Kind::text;
    s.value = json_of(array).dump();
    return s;
  }

  void keys(const std::string& key, const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
      for (const auto& [inner, value] : *table) keys(key + "." + std::string(inner.str()), value);
      return;
    }
    SweepKey k;
    k.key = key;
    k.where = place(node) + key;
    const toml::array* array = takes_list(key) ? nullptr : node.as_array();
    if (array == nullptr) {
      k.values.push_back(setting(key, node, k.where));
    } else {
      k.varied = true;
      if (array->empty()) throw InputError(k.where, "an empty list", "at least one value");
      for (const toml::node& element : *array)
        k.values.push_back(setting(key, element, fmt::format("{}, value {}", k.where, k.values.size() + 1)));
    }
    if (key == "run.seed") {
      found_.seeds = with_range(std::move(k));
      return;
    }
    line_[key] = node.source().begin.line;
    found_.keys.push_back(std::move(k));
  }

  // run.seed = "1..5"
  static SweepKey with_range(SweepKey k) {
    const std::string text = k.values.front().value;
    const std::size_t dots = text.find("..");
    if (k.varied || k.values.front().kind != Setting::Kind::string || dots == std::string::npos) return k;
    Setting end = k.values.front();
    end.kind = Setting::Kind::text;
    end.value = text.substr(0, dots);
    constexpr std::int64_t most = 1'000'000;
    const std::int64_t first = parse_integer(end, 0, std::numeric_limits<std::int64_t>::max() - most);
    end.value = text.substr(dots + 2);
    const std::int64_t last = parse_integer(end, 0, std::numeric_limits<std::int64_t>::max() - 1);
    if (last < first || last - first >= most)
      throw InputError(k.where, "'" + text + "'", "a range of 1 to 1000000 seeds, such as \"1..5\"");
    k.varied = true;
    k.values.clear();
    end.kind = Setting::Kind::integer;
    for (std::int64_t seed = first; seed <= last; ++seed) {
      end.value = std::to_string(seed);
      k.values.push_back(end);
    }
    return k;
  }

  void variant_keys(const std::string& key, const toml::node& node, SweepVariant& variant) const {
    if (const toml::table* table = node.as_table()) {
      for (const auto& [inner, value] : *table) variant_keys(key + "." + std::string(inner.str()), value, variant);
      return;
    }
    const std::string where = place(node) + key;
    if (key == "run.seed")
      throw InputError(where, "a seed in a variant", "seeds outside the variants: all settings have the same");
    if (node.is_array() && !takes_list(key))
      throw InputError(where, "a list in a variant", "one value; a list outside the variants is crossed with them");
    variant.settings.push_back(setting(key, node, where));
  }

  void variants(const toml::node& list) {
    const toml::array* tables = list.as_array();
    if (tables == nullptr || !tables->is_homogeneous(toml::node_type::table))
      throw InputError(place(list) + "variant", tables != nullptr && tables->empty() ? "an empty list" : "no list of tables",
                       "[[variant]] with two brackets, and a name");
    std::set<std::string> names;
    for (const toml::node& node : *tables) {
      SweepVariant variant;
      const toml::table& table = *node.as_table();
      const toml::node* name = table.get("name");
      if (name == nullptr || !name->is_string())
        throw InputError((name == nullptr ? place(node) : place(*name)) + "variant.name",
                         name == nullptr ? "nothing" : "no text", "a name in quotes");
      variant.name = name->as_string()->get();
      const bool good =
          !variant.name.empty() && variant.name.size() <= 40 && std::ranges::all_of(variant.name, [](unsigned char c) {
            return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
          });
      if (!good)
        throw InputError(place(*name) + "variant.name", popgrad::quoted(variant.name),
                         "1 to 40 letters, digits, '.', '_' and '-'");
      if (!names.insert(variant.name).second)
        throw InputError(place(*name) + "variant.name", popgrad::quoted(variant.name) + " a second time",
                         "a name of its own");
      variant.where = place(node) + "variant '" + variant.name + "'";
      for (const auto& [key, value] : table)
        if (key.str() != "name") variant_keys(std::string(key.str()), value, variant);
      found_.variants.push_back(std::move(variant));
    }
  }

  std::filesystem::path file_;
  std::map<std::string, unsigned> line_;
  SweepFile found_;
};

}  // namespace

SweepFile read_sweep_file(const std::filesystem::path& file) {
  const std::string text = read_file("SWEEP", file);
  try {
    return Reader(file).read(toml::parse(text, file.string()));
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::usage, fmt::format("{}:{}: not valid TOML: {}", file.string(), error.source().begin.line,
                                             one_line(error.description(), 200)));
  }
}

}  // namespace popgrad
