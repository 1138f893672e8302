#include "app/parse_list.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using nlohmann::json;

json parse_list(const Setting& setting, const std::string& expected) {
  const bool may_be = setting.kind == Setting::Kind::text || setting.kind == Setting::Kind::array;
  json list = may_be ? json::parse(setting.value, nullptr, false) : json();
  if (!list.is_array()) throw InputError(setting.where, "'" + setting.value + "'", expected);
  return list;
}

}  // namespace

std::vector<int> parse_integers(const Setting& setting) {
  const std::string expected = "a list of integers >= 0, such as [1, 2, 3]";
  std::vector<int> list;
  for (const json& x : parse_list(setting, expected)) {
    if (!x.is_number_unsigned() || x.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<int>::max()})
      throw InputError(setting.where, x.dump(), expected);
    list.push_back(x.get<int>());
  }
  return list;
}

std::vector<RateFrom> parse_rates(const Setting& setting) {
  const std::string expected = "a list of [step, rate], such as [[300, 0.05], [600, 0.01]], with steps >= 1 that increase and rates > 0";
  std::vector<RateFrom> list;
  for (const json& x : parse_list(setting, expected)) {
    const bool pair = x.is_array() && x.size() == 2 && x[0].is_number_integer() && x[1].is_number();
    if (!pair || x[0].get<std::int64_t>() <= (list.empty() ? 0 : list.back().step) || !(x[1].get<double>() > 0) ||
        !std::isfinite(x[1].get<double>()))
      throw InputError(setting.where, x.dump(), expected);
    list.push_back({x[0].get<std::int64_t>(), x[1].get<double>()});
  }
  return list;
}

std::string list_text(const std::vector<int>& list) {
  std::string text;
  for (const int x : list) text += (text.empty() ? "" : ", ") + std::to_string(x);
  return "[" + text + "]";
}

std::string list_text(const std::vector<RateFrom>& list) {
  std::string text;
  for (const RateFrom& x : list) text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", x.step, x.rate);
  return "[" + text + "]";
}

}  // namespace popgrad
