#include "theory/claims/quantity.hpp"

#include <algorithm>

#include "core/byte_text.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "theory/formulas/parse.hpp"

namespace popgrad {
namespace {

using Part = Quantity::Part;

// A quantity without its indices.
struct Shape {
  std::string name;  // "stage3.wk1.PP.margin", "stage1.wo2.UP"
  int stage;
  std::optional<Block> query;
  Block key;
  Part part;
  std::size_t indices;
};

void add_block(std::vector<Shape>& shapes, int stage, std::optional<Block> query, Block key) {
  const std::string name = "stage" + std::to_string(stage) + "." + stage_param(stage) + "." +
                           (query ? popgrad::name(*query) : "U") + popgrad::name(key);
  const std::size_t positions = (query && !is_token(*query) ? 1U : 0U) + (is_token(key) ? 0U : 1U);
  if (positions > 0) {
    shapes.push_back({name, stage, query, key, Part::entry, positions});
  } else {
    shapes.push_back({name + ".diag", stage, query, key, Part::diag, 0});
    shapes.push_back({name + ".off", stage, query, key, Part::off, 0});
    shapes.push_back({name + ".signal", stage, query, key, Part::signal, 0});
  }
  if (stage == 3 && positions == 2) {
    shapes.push_back({name + ".margin", stage, query, key, Part::margin, 1});
    shapes.push_back({name + ".signal", stage, query, key, Part::row_signal, 1});
  }
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> list;
    for (const Block key : all_blocks) add_block(list, 1, std::nullopt, key);
    for (const Block query : all_blocks)
      for (const Block key : all_blocks) add_block(list, 2, query, key);
    for (const Block query : {Block::E, Block::P})
      for (const Block key : {Block::E, Block::P}) add_block(list, 3, query, key);
    return list;
  }();
  return all;
}

std::string brackets(std::size_t indices) { return indices == 0 ? "" : indices == 1 ? "[t]" : "[t,s]"; }

std::string without_blanks(const std::string& text) {
  std::string packed;
  for (const char c : text)
    if (c != ' ' && c != '\t') packed += c;
  return packed;
}

// "t,t-1" at the commas; no formula in an index has one unless it is H(n,m), which is no index.
std::vector<std::string> at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

bool Quantity::uses(const std::string& symbol) const {
  return std::any_of(indices.begin(), indices.end(), [&](const Formula& index) {
    const std::vector<std::string> names = index.symbols();
    return std::find(names.begin(), names.end(), symbol) != names.end();
  });
}

Quantity parse_quantity(const std::string& argument, const std::string& text) {
  const std::string packed = without_blanks(text), name = packed.substr(0, packed.find('['));
  const auto shape = std::find_if(shapes().begin(), shapes().end(), [&](const Shape& s) { return s.name == name; });
  if (shape == shapes().end()) {
    std::vector<std::string> names;
    for (const Shape& s : shapes()) names.push_back(s.name);
    throw InputError(argument, popgrad::quoted(text),
                     "a quantity such as stage2.wk2.ER.diag (popgrad fit --list prints them)" + did_you_mean(name, names));
  }
  const std::string form = shape->name + brackets(shape->indices);
  const bool bracketed = packed.size() > name.size();
  if (bracketed != (shape->indices > 0) || (bracketed && packed.back() != ']'))
    throw InputError(argument, popgrad::quoted(text), form);
  Quantity quantity{packed, shape->stage, shape->query, shape->key, shape->part, {}};
  if (!bracketed) return quantity;
  const std::vector<std::string> indices = at_commas(packed.substr(name.size() + 1, packed.size() - name.size() - 2));
  if (indices.size() != shape->indices) throw InputError(argument, popgrad::quoted(text), form);
  for (const std::string& index : indices)
    quantity.indices.push_back(parse_formula(argument + ", index " + popgrad::quoted(index), index, {size_symbols(), true}));
  return quantity;
}

std::vector<std::string> all_quantities() {
  std::vector<std::string> names;
  for (const Shape& s : shapes()) names.push_back(s.name + brackets(s.indices));
  return names;
}

std::string describe(const StageSwitches& switches, int stage) {
  std::string text;
  if (stage > 1 && switches.handoff == Handoff::ideal) text = "ideal hand-off, ";
  if (stage > 1 && switches.handoff == Handoff::actual)
    text = std::string("actual hand-off (") + name(switches.blocks) + "), ";
  return text + name(switches.background) + ", query=" + name(switches.query);
}

std::vector<std::string> monomials(int stage, Handoff handoff) {
  const bool ideal = handoff == Handoff::ideal;
  if (stage == 1) return {"1"};
  if (stage == 2) return {ideal ? "alpha" : "eta1"};
  if (ideal) return {"alpha", "alpha*beta"};
  return {"eta1", "eta1^2", "eta1^2*eta2"};
}

}  // namespace popgrad
