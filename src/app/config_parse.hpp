// From what the user wrote to a typed value, or one line saying what was expected.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/setting.hpp"

namespace popgrad {

// A whole number in [low, high]. "65.0" and "1e3" are not whole numbers. InputError otherwise.
std::int64_t parse_integer(const Setting& setting, std::int64_t low, std::int64_t high);

// A finite number x with low < x < high, or low <= x <= high at a closed end. InputError otherwise.
struct Range {
  double low, high;
  bool low_closed = true, high_closed = true;
  std::string describe() const;  // "a number > 0", "a number in [0, 1)"
  bool contains(double x) const;
};
double parse_number(const Setting& setting, const Range& range);

bool parse_boolean(const Setting& setting);  // true or false

// One of `words`; InputError lists them and names the nearest.
std::string parse_word(const Setting& setting, const std::vector<std::string>& words);

std::string parse_string(const Setting& setting);  // not empty

}  // namespace popgrad
