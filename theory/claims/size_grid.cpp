#include "theory/claims/size_grid.hpp"

#include <algorithm>

#include "core/byte_text.hpp"
#include "core/errors.hpp"
#include "numerics/moment_terms.hpp"
#include "theory/formulas/parse.hpp"

namespace popgrad {
namespace {

constexpr int largest_N = 1'000'000;
constexpr const char* examples = "values such as \"2..12\", \"4\" or [4, 6, 8]";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

int whole(const Values& values, const Formula& formula, const Bindings& at) {
  Rational value;
  try {
    value = formula.evaluate_exact(at);
  } catch (const HypothesisError& error) {
    throw InputError(values.argument, popgrad::quoted(values.text),
                     std::string("ends that have a value (") + error.what() + ")");
  }
  if (denominator(value) != 1 || abs(value) > 2 * largest_N)
    throw InputError(values.argument, popgrad::quoted(values.text) + " with the end " + one_line(to_string(value), 24),
                     "whole numbers");
  return static_cast<int>(value);
}

// In order of size, each once.
std::vector<int> values_at(const Values& values, const Bindings& at, int low, int high) {
  std::vector<int> list;
  for (const ValueRange& range : values.ranges) {
    const int first = whole(values, range.first, at), last = whole(values, range.last, at);
    if (first > last) continue;
    for (const int end : {first, last})
      if (end < low || end > high)
        throw InputError(values.argument, popgrad::quoted(values.text) + " with " + std::to_string(end),
                         "values in " + std::to_string(low) + ".." + std::to_string(high));
    for (int value = first; value <= last; ++value) list.push_back(value);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace

Bindings Size::bindings() const {
  Bindings at = {{"N", N}, {"T", T}};
  if (t) at.emplace("t", *t);
  if (s) at.emplace("s", *s);
  return at;
}

std::optional<int> Size::of(const std::string& symbol) const {
  if (symbol == "N") return N;
  if (symbol == "T") return T;
  return symbol == "t" ? t : s;
}

std::string Size::describe() const {
  std::string text = "N=" + std::to_string(N) + " T=" + std::to_string(T);
  if (t) text += " t=" + std::to_string(*t);
  if (s) text += " s=" + std::to_string(*s);
  return text;
}

Values parse_values(const std::string& argument, const std::string& text, const std::vector<std::string>& known) {
  Values values{argument, trimmed(text), {}};
  if (values.text.empty()) throw InputError(argument, "nothing", examples);
  std::size_t from = 0;
  while (from <= values.text.size()) {
    const std::size_t comma = std::min(values.text.find(',', from), values.text.size());
    const std::string part = trimmed(values.text.substr(from, comma - from));
    from = comma + 1;
    if (part.empty()) throw InputError(argument, popgrad::quoted(values.text), examples);
    const std::size_t dots = part.find("..");
    const auto end = [&](const std::string& formula) { return parse_formula(argument, formula, {known, true}); };
    if (dots == std::string::npos)
      values.ranges.push_back({end(part), end(part)});
    else
      values.ranges.push_back({end(part.substr(0, dots)), end(part.substr(dots + 2))});
  }
  return values;
}

std::string Grid::describe() const {
  std::string text = "N=" + N.text + " T=" + T.text;
  if (t) text += " t=" + t->text;
  if (s) text += " s=" + s->text;
  return text;
}

std::vector<Size> sizes_of(const Grid& grid) {
  std::vector<Size> sizes;
  const auto add = [&](const Size& size) {
    if (sizes.size() >= largest_grid)
      throw InputError(grid.N.argument, "a grid of more than " + std::to_string(largest_grid) + " sizes", "fewer");
    sizes.push_back(size);
  };
  // Without t or s the loop runs once, with the symbol unset.
  const auto each = [](const std::optional<Values>& values, const Size& at, const auto& body) {
    if (!values) {
      body(std::optional<int>());
      return;
    }
    for (const int value : values_at(*values, at.bindings(), 1, at.T)) body(std::optional<int>(value));
  };
  for (const int N : values_at(grid.N, {}, 2, largest_N))
    for (const int T : values_at(grid.T, {{"N", N}}, 4, longest_moments))
      each(grid.t, {N, T, {}, {}}, [&](std::optional<int> t) {
        each(grid.s, {N, T, t, {}}, [&](std::optional<int> s) { add({N, T, t, s}); });
      });
  if (sizes.empty()) throw InputError(grid.N.argument, "an empty grid (" + grid.describe() + ")", "at least one size");
  return sizes;
}

}  // namespace popgrad
