#include "reports/onset_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

struct Look {
  const char* colour;
  int point;
};
constexpr std::array<Look, 6> looks = {
    {{colour::blue, 7}, {colour::vermillion, 5}, {colour::purple, 11}, {colour::green, 9}, {colour::orange, 13}, {colour::black, 1}}};

}  // namespace

FigureSpec onset_curves_figure(const std::string& name, FigureSeries series) {
  const FigureTable& table = series.table;
  const std::size_t quantities = table.columns.empty() ? 0 : (table.columns.size() - 1) / 2;
  bool fits = !table.columns.empty() && table.columns[0] == "t" && quantities > 0 && table.columns.size() == 1 + 2 * quantities && !table.rows.empty();
  for (std::size_t i = 0; fits && i < quantities; ++i) fits = table.columns[2 + 2 * i].starts_with(table.columns[1 + 2 * i] + ", t^");
  if (!fits)
    throw InputError("results", fmt::format("figure '{}' with {} columns", series.figure, table.columns.size()),
                     "t, two columns a quantity (its name, and its name with ', t^k'), and a row");
  const auto [start, end] = table.range(0);
  if (!(start > 0)) throw InputError("results", fmt::format("t = {} in figure '{}'", start, series.figure), "times > 0");
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < quantities; ++i) {
      const double x = std::abs(row[1 + 2 * i]);
      if (!(x > 0) || !std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (!(high > 0)) throw InputError("results", "figure '" + series.figure + "' without a number", "a quantity that is not zero");
  std::string plots;
  for (std::size_t i = 0; i < quantities; ++i) {
    const Look& look = looks[i % looks.size()];
    const std::string power = table.columns[2 + 2 * i].substr(table.columns[1 + 2 * i].size() + 2);
    plots += fmt::format(
        "{0}DATA using 1:(abs(${1})) skip 1 with lines linewidth 1.2 dashtype 2 linecolor rgb '{3}' notitle, "
        "DATA using 1:(abs(${2})) skip 1 with linespoints pointtype {4} pointsize 0.7 pointinterval 4 linewidth 1.8 linecolor rgb '{3}' title {5}",
        i == 0 ? "" : ", ", 3 + 2 * i, 2 + 2 * i, look.colour, look.point, gnuplot_quote(table.columns[1 + 2 * i] + " ~ " + power));
  }
  const bool isolated = series.figure == "onset_isolated";
  FigureSpec figure{name, series.table, "", 16, 11};
  figure.script = fmt::format(
      "set logscale xy 10\nset xrange [{}:{}]\nset yrange [{:g}:{:g}]\nset format y '10^{{%L}}'\nset format x '%g'\nset mxtics 10\n"
      "set title {} noenhanced\n"
      "set xlabel \"time t of the flow (log scale)\\ndashed: predicted first coefficient times the power of t\"\nset ylabel 'magnitude (log scale)'\n"
      "set key bottom right Left reverse noenhanced\n"
      "plot {}\n",
      start, end, low / 3, high * 3,
      gnuplot_quote(fmt::format("Onset from zero, {} blocks, {}", isolated ? "isolated" : "full", series.configuration)), plots);
  return figure;
}

}  // namespace popgrad
