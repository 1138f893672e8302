#include "app/config_parse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/closest_word.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

using Kind = Setting::Kind;

[[noreturn]] void wrong(const Setting& setting, const std::string& expected) {
  const bool quoted = setting.kind == Kind::text || setting.kind == Kind::string;
  throw InputError(setting.where, quoted ? "'" + setting.value + "'" : setting.value, expected);
}

void need_kind(const Setting& setting, std::initializer_list<Kind> kinds, const std::string& expected) {
  if (setting.kind == Kind::text || std::find(kinds.begin(), kinds.end(), setting.kind) != kinds.end()) return;
  wrong(setting, expected);
}

template <class Number>
bool read_whole(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

std::int64_t parse_integer(const Setting& setting, std::int64_t low, std::int64_t high) {
  const bool open_ended = high == std::numeric_limits<std::int64_t>::max();
  const std::string expected =
      open_ended ? fmt::format("an integer >= {}", low) : fmt::format("an integer from {} to {}", low, high);
  need_kind(setting, {Kind::integer}, expected);
  std::int64_t value = 0;
  if (!read_whole(setting.value, value) || value < low || value > high) wrong(setting, expected);
  return value;
}

std::string Range::describe() const {
  const bool below = std::isinf(low), above = std::isinf(high);
  if (below && above) return "a finite number";
  if (above) return fmt::format("a number {} {}", low_closed ? ">=" : ">", low);
  return fmt::format("a number in {}{}, {}{}", low_closed ? '[' : '(', low, high, high_closed ? ']' : ')');
}

bool Range::contains(double x) const {
  return std::isfinite(x) && (low_closed ? x >= low : x > low) && (high_closed ? x <= high : x < high);
}

double parse_number(const Setting& setting, const Range& range) {
  need_kind(setting, {Kind::integer, Kind::number}, range.describe());
  double value = 0;
  if (!read_whole(setting.value, value) || !range.contains(value)) wrong(setting, range.describe());
  return value;
}

bool parse_boolean(const Setting& setting) {
  need_kind(setting, {Kind::boolean}, "true or false");
  if (setting.value != "true" && setting.value != "false") wrong(setting, "true or false");
  return setting.value == "true";
}

std::string parse_word(const Setting& setting, const std::vector<std::string>& words) {
  std::string expected = words.size() > 2 ? "one of " : "";
  for (std::size_t i = 0; i < words.size(); ++i)
    expected += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  need_kind(setting, {Kind::string}, expected);
  if (std::find(words.begin(), words.end(), setting.value) == words.end())
    wrong(setting, expected + did_you_mean(setting.value, words));
  return setting.value;
}

std::string parse_string(const Setting& setting) {
  need_kind(setting, {Kind::string}, "a text");
  if (setting.value.empty()) wrong(setting, "a text that is not empty");
  return setting.value;
}

}  // namespace popgrad
