#if __has_include(<toml++/toml.hpp>)
#include <toml++/toml.hpp>
#else
#include <toml++/toml.h>
#endif

#include <map>
#include <utility>

#include "core/errors.hpp"
#include "numerics/option_fields.hpp"
#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace {

// Reads typed values, names the key that is wrong, and knows at the end which keys nobody asked for.
class Reader {
 public:
  Reader(const std::string& argument, const toml::table& root) : argument_(argument) { flatten(root, ""); }

  void value(const char* key, bool& field) { take(find(key), key, field, [](const toml::node& n) { return n.is_boolean(); }); }
  void value(const char* key, double& field) { number(find(key), key, field); }
  void value(const char* key, int& field) { integer(key, field); }
  void value(const char* key, std::int64_t& field) { integer(key, field); }
  void value(const char* key, std::uint64_t& field) { integer(key, field); }
  void value(const char* key, std::vector<int>& field) {
    for (const toml::node& element : list(key)) field.push_back(whole<int>(element, key));
  }
  void value(const char* key, std::vector<RateFrom>& field) {
    for (const toml::node& element : list(key)) {
      const toml::array* pair = element.as_array();
      if (pair == nullptr || pair->size() != 2) throw bad(key, "something else than [update, rate]");
      field.push_back({whole<std::int64_t>(*pair->get(0), key), 0});
      number(*pair->get(1), key, field.back().rate);
    }
  }
  template <class Word, class Parse>
  void word(const std::string& key, Word& field, Parse parse) {
    std::string text;
    take(find(key), key, text, [](const toml::node& n) { return n.is_string(); });
    try {
      field = parse(text);
    } catch (const InputError&) {
      throw bad(key, "'" + text + "'");
    }
  }
  void init(Table table, InitSpec& spec, int) {
    const std::string prefix = std::string("init.") + name(table);
    word(prefix + ".kind", spec.kind, parse_init);
    spec.scale.reset();
    if (spec.kind == Init::zero) return;
    double scale = 0;
    number(find(prefix + ".scale"), prefix + ".scale", scale);
    spec.scale = scale;
  }
  void corpus() {
    std::string file;
    take(find("data.corpus"), "data.corpus", file, [](const toml::node& n) { return n.is_string(); });
    if (file != run_corpus_name) throw bad("data.corpus", "'" + file + "'");
  }
  std::string text(const std::string& key) {
    std::string result;
    take(find(key), key, result, [](const toml::node& n) { return n.is_string(); });
    return result;
  }

  void nothing_left() const {
    if (!nodes_.empty()) throw InputError(argument_, "unknown key '" + nodes_.begin()->first + "'", expected());
  }
  static std::string expected() { return "the config.toml of a run, as popgrad train wrote it"; }

 private:
  void flatten(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string full = prefix + std::string(key.str());
      if (const toml::table* inner = node.as_table())
        flatten(*inner, full + ".");
      else
        nodes_[full] = &node;
    }
  }
  const toml::node& find(const std::string& key) {
    const auto found = nodes_.find(key);
    if (found == nodes_.end()) throw InputError(argument_, "no key '" + key + "'", expected());
    const toml::node& node = *found->second;
    nodes_.erase(found);
    return node;
  }
  InputError bad(const std::string& key, const std::string& got) const { return {argument_, key + " = " + got, expected()}; }
  template <class Value, class Fits>
  void take(const toml::node& node, const std::string& key, Value& field, Fits fits) const {
    if (!fits(node)) throw bad(key, "a value of another type");
    field = *node.value<Value>();
  }
  void number(const toml::node& node, const std::string& key, double& field) const {
    take(node, key, field, [](const toml::node& n) { return n.is_number(); });
  }
  template <class Integer>
  Integer whole(const toml::node& node, const std::string& key) const {
    std::int64_t x = 0;
    take(node, key, x, [](const toml::node& n) { return n.is_integer(); });
    if (!std::in_range<Integer>(x)) throw bad(key, std::to_string(x));
    return static_cast<Integer>(x);
  }
  template <class Integer>
  void integer(const char* key, Integer& field) {
    field = whole<Integer>(find(key), key);
  }
  const toml::array& list(const char* key) {
    const toml::array* found = find(key).as_array();
    if (found == nullptr) throw bad(key, "a value of another type");
    return *found;
  }

  std::string argument_;
  std::map<std::string, const toml::node*> nodes_;
};

}  // namespace

RunConfig parse_run_config(const std::string& argument, const std::string& text) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(argument, "text that is not TOML at line " + std::to_string(error.source().begin.line), Reader::expected());
  }
  Reader reader(argument, root);
  if (const std::string format = reader.text("format"); format != run_format)
    throw InputError(argument, "format '" + format + "'", std::string("format '") + run_format + "'");
  RunConfig config;
  config.program = reader.text("program");
  config.options.rates.clear();
  config.options.minimal.output_weights.clear();
  visit_fields(config.options, reader);
  reader.nothing_left();
  return config;
}

}  // namespace popgrad
