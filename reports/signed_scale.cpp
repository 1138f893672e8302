#include "reports/signed_scale.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {

std::string SignedScale::commands(const std::string& label) const {
  require(linear > 0 && limit > 0 && std::isfinite(linear) && std::isfinite(limit), "SignedScale", "linear, limit",
          "positive and finite", fmt::format("{}, {}", linear, limit));
  const auto scaled = [&](double x) { return std::log10(1 + x / linear); };
  // Powers of ten from `linear` to `limit`, at most five of each sign.
  const int first = static_cast<int>(std::ceil(std::log10(linear) - 1e-9)), last = static_cast<int>(std::floor(std::log10(limit) + 1e-9));
  const int step = (last - first) / 5 + 1;
  std::string tics = "'0' 0";
  for (int decade = last; decade >= first; decade -= step) {
    const double x = std::pow(10, decade);
    const std::string text = fmt::format("{:g}", x);
    tics += fmt::format(", '{0}' {1}, '−{0}' {2}", text, scaled(x), -scaled(x));
  }
  return fmt::format(
      "scaled(x) = sgn(x) * log10(1 + abs(x) / {})\n"
      "set palette defined (-1 '{}', 0 '#FFFFFF', 1 '{}')\nset cbrange [{}:{}]\nset cbtics ({}) noenhanced\nset cblabel {} offset 0.4,0 noenhanced\n",
      linear, colour::blue, colour::vermillion, -scaled(limit), scaled(limit), tics, gnuplot_quote(label));
}

}  // namespace popgrad
