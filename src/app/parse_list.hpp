// Configuration values that are lists, as TOML writes them, on the command line too.
#pragma once
#include <string>
#include <vector>

#include "app/setting.hpp"
#include "numerics/train_options.hpp"

namespace popgrad {

std::vector<int> parse_integers(const Setting& setting);    // [1, 2, 3], none below 0
std::vector<RateFrom> parse_rates(const Setting& setting);  // [[300, 0.05], [600, 0.01]]: updates >= 1 that increase, rates > 0

std::string list_text(const std::vector<int>& list);  // what the parsers read
std::string list_text(const std::vector<RateFrom>& list);

}  // namespace popgrad
