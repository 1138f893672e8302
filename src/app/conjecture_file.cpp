#include "app/conjecture_file.hpp"

#if __has_include(<toml++/toml.hpp>)
#include <toml++/toml.hpp>
#else
#include <toml++/toml.h>
#endif

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/atomic_file.hpp"
#include "core/byte_text.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "theory/formulas/parse.hpp"

namespace popgrad {
namespace {

constexpr Relation relations[] = {Relation::equals, Relation::above,   Relation::at_least,
                                  Relation::below,  Relation::at_most, Relation::grows_like};

std::string one_of(const std::vector<std::string>& words) {
  std::string text = words.size() > 2 ? "one of " : "";
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

// One [[conjecture]] with the place of everything in it.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const toml::table& table) : file_(file.string()), table_(table) {
    std::vector<std::string> known = {"name",  "quantity", "handoff", "blocks", "background",
                                      "query", "monomial", "engine",  "in"};
    known.insert(known.end(), size_symbols().begin(), size_symbols().end());
    for (const Relation relation : relations) known.emplace_back(popgrad::name(relation));
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError(place(node) + "conjecture", "the key " + popgrad::quoted(name),
                         one_of(known) + did_you_mean(name, known));
    }
  }

  Conjecture conjecture() const {
    const std::string name = needed("name", "a name of letters, digits, '.', '_' and '-'");
    const bool good = name.size() <= 40 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
                        return (std::isalnum(c) != 0 && c < 0x80) || c == '.' || c == '_' || c == '-';
                      });
    if (!good) throw InputError(where("name"), popgrad::quoted(name), "at most 40 letters, digits, '.', '_' and '-'");
    const std::string argument = place(table_) + "conjecture '" + name + "'";
    const Quantity quantity = parse_quantity(where("quantity"), needed("quantity", "a quantity such as stage2.wk2.ER.diag"));
    const Relation relation = the_relation(argument);
    const std::string key = popgrad::name(relation);
    const Formula formula = parse_formula(where(key), needed(key, "a formula"), {symbols(), true});
    const std::string variable = relation == Relation::grows_like ? word("in", symbols(), "T") : "";
    if (relation != Relation::grows_like && has("in"))
      throw InputError(where("in"), "a variable", "none: it belongs to grows_like");
    Conjecture made{name,           argument, QuantityMeter(argument, quantity, switches(), text("monomial"), engine()),
                    relation,       formula,  variable,
                    grid(argument), {}};
    made.sizes = sizes_of(made.grid);
    require_answerable(made);
    return made;
  }

 private:
  bool has(const std::string& key) const { return table_.contains(key); }
  std::string place(const toml::node& node) const { return file_ + ":" + std::to_string(node.source().begin.line) + ": "; }
  std::string where(const std::string& key) const { return place(has(key) ? *table_.get(key) : table_) + key; }

  std::string text(const std::string& key) const {
    if (!has(key)) return "";
    const toml::node& node = *table_.get(key);
    if (const auto* string = node.as_string()) return string->get();
    throw InputError(where(key), "no text", "a text in quotes");
  }
  std::string needed(const std::string& key, const std::string& expected) const {
    const std::string value = text(key);
    if (has(key) && value.empty()) throw InputError(where(key), "an empty text", expected);
    if (!has(key)) throw InputError(where(key), "nothing", expected);
    return value;
  }
  std::string word(const std::string& key, const std::vector<std::string>& words, const std::string& otherwise) const {
    if (!has(key)) return otherwise;
    const std::string value = text(key);
    if (std::find(words.begin(), words.end(), value) == words.end())
      throw InputError(where(key), popgrad::quoted(value), one_of(words) + did_you_mean(value, words));
    return value;
  }

  // t and s are symbols where the grid has values for them.
  std::vector<std::string> symbols() const {
    std::vector<std::string> known;
    for (const std::string& symbol : size_symbols())
      if (symbol == "N" || symbol == "T" || has(symbol)) known.push_back(symbol);
    return known;
  }

  Relation the_relation(const std::string& argument) const {
    std::vector<std::string> given, all;
    std::optional<Relation> found;
    for (const Relation relation : relations) {
      all.emplace_back(popgrad::name(relation));
      if (!has(all.back())) continue;
      given.push_back(all.back());
      found = relation;
    }
    if (given.size() == 1) return *found;
    throw InputError(argument, given.empty() ? "no statement" : "both " + given[0] + " and " + given[1], one_of(all));
  }

  StageSwitches switches() const {
    StageSwitches chosen;
    chosen.handoff = parse_handoff(word("handoff", {"ideal", "actual"}, "ideal"));
    chosen.blocks = parse_blocks(word("blocks", {"isolated", "full"}, "full"));
    chosen.background = parse_background(word("background", {"any", "avoid"}, "avoid"));
    chosen.query = parse_query(word("query", {"last", "any"}, "last"));
    return chosen;
  }

  std::optional<MeterEngine> engine() const {
    const std::string chosen = word("engine", {"moments", "orbits"}, "");
    if (chosen.empty()) return std::nullopt;
    return chosen == "moments" ? MeterEngine::moments : MeterEngine::orbits;
  }

  // An integer, a text such as "2..12", or an array of both, as one text with commas.
  std::string listed(const std::string& key, const toml::node& node) const {
    if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
    if (const auto* string = node.as_string()) return string->get();
    const toml::array* array = node.as_array();
    if (array == nullptr)
      throw InputError(where(key), "another type", "an integer, a text such as \"2..12\", or an array of them");
    if (array->empty()) throw InputError(where(key), "an empty array", "at least one value");
    std::string list;
    for (const toml::node& element : *array) {
      if (element.is_array()) throw InputError(where(key), "an array in an array", "integers or texts such as \"2..12\"");
      list += (list.empty() ? "" : ",") + listed(key, element);
    }
    return list;
  }

  Grid grid(const std::string& argument) const {
    const auto values = [&](const std::string& key, const std::vector<std::string>& known) {
      if (!has(key)) throw InputError(argument, "no " + key, "a grid of sizes: " + key + " = \"4..9\" or [4, 6, 8]");
      return parse_values(where(key), listed(key, *table_.get(key)), known);
    };
    Grid grid{values("N", {}), values("T", {"N"}), {}, {}};
    if (has("t")) grid.t = values("t", {"N", "T"});
    if (has("s")) grid.s = values("s", {"N", "T", "t"});
    return grid;
  }

  std::string file_;
  const toml::table& table_;
};

}  // namespace

std::vector<Conjecture> read_conjectures(const std::filesystem::path& file) {
  const std::string content = read_file("--conjectures", file);
  toml::table table;
  try {
    table = toml::parse(content, file.string());
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::usage, file.string() + ":" + std::to_string(error.source().begin.line) +
                                     ": not valid TOML: " + one_line(error.description(), 200));
  }
  for (const auto& [key, node] : table)
    if (key.str() != "conjecture")
      throw InputError(file.string() + ":" + std::to_string(node.source().begin.line),
                       "the key " + popgrad::quoted(key.str()),
                       "[[conjecture]] tables only" + did_you_mean(std::string(key.str()), {"conjecture"}));
  const toml::node* list = table.get("conjecture");
  if (list == nullptr) throw InputError(file.string(), "no conjecture", "at least one [[conjecture]] table");
  const toml::array* tables = list->as_array();
  if (tables == nullptr || !tables->is_homogeneous(toml::node_type::table))
    throw InputError(file.string() + ":" + std::to_string(list->source().begin.line),
                     "a 'conjecture' that is no array of tables", "[[conjecture]] with two brackets");
  std::vector<Conjecture> conjectures;
  std::set<std::string> names;
  for (const toml::node& node : *tables) {
    conjectures.push_back(Reader(file, *node.as_table()).conjecture());
    if (!names.insert(conjectures.back().name).second)
      throw InputError(conjectures.back().argument, "a name that is used twice", "a name of its own");
  }
  return conjectures;
}

}  // namespace popgrad
