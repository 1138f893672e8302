#include "reports/emergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

struct Look {
  const char* colour;
  int point;
  const char* dash;
};
constexpr std::array<Look, 6> looks = {{{colour::blue, 7, "1"},
                                        {colour::vermillion, 5, "2"},
                                        {colour::green, 9, "3"},
                                        {colour::purple, 11, "4"},
                                        {colour::orange, 13, "5"},
                                        {colour::black, 1, "2"}}};

bool any_number(const FigureTable& table, std::size_t column) {
  for (const auto& row : table.rows)
    if (std::isfinite(row[column])) return true;
  return false;
}

}  // namespace

FigureSpec emergence_figure(const std::string& name, FigureSeries series) {
  const FigureTable& table = series.table;
  const std::size_t curves = table.columns.empty() ? 0 : (table.columns.size() - 1) / 5;
  if (table.columns.empty() || curves == 0 || table.columns.size() != 1 + 5 * curves || table.rows.empty() ||
      (table.columns[0] != "T" && table.columns[0] != "N"))
    throw InputError("results", fmt::format("figure '{}' with {} columns", series.figure, table.columns.size()),
                     "T or N and five columns a curve, and a row");
  const auto [low, high] = table.range(0);
  if (!(low > 0)) throw InputError("results", fmt::format("a size of {} in figure '{}'", low, series.figure), "sizes > 0");
  const bool over_T = table.columns[0] == "T";
  std::string tics;
  double last = 0, least = std::numeric_limits<double>::infinity(), most = 0, size = 0, time = 0;
  for (const auto& row : table.rows) {
    // The first curve's last measured point: the reference line passes there.
    if (std::isfinite(row[1])) std::tie(size, time) = std::pair{row[0], row[1]};
    for (std::size_t i = 0; i < curves; ++i)
      for (const double y : {row[1 + 5 * i], row[3 + 5 * i]})
        if (y > 0 && std::isfinite(y)) std::tie(least, most) = std::pair{std::min(least, y), std::max(most, y)};
  }
  if (!(time > 0)) throw InputError("results", "figure '" + series.figure + "' without a time of the first curve", "a time > 0");
  for (const auto& row : table.rows) {
    bool measured = false;
    for (std::size_t i = 0; i < curves; ++i) measured = measured || std::isfinite(row[1 + 5 * i]);
    // Tics at the sizes that were measured, where there is room for their numbers.
    if (!measured || row[0] < last * (over_T ? 1.05 : 1.3)) continue;
    tics += fmt::format("{}{:g}", tics.empty() ? "" : ", ", row[0]);
    last = row[0];
  }
  if (high > 1.3 * last) tics += fmt::format(", {:g}", high);
  std::string bands, fits, points;
  for (std::size_t i = 0; i < curves; ++i) {
    const std::size_t y = 2 + 5 * i;  // gnuplot numbers columns from 1
    const Look& look = looks[i % looks.size()];
    const bool fitted = any_number(table, y + 1);
    if (fitted && i == 0)
      bands = fmt::format("DATA using 1:{}:{} skip 1 with filledcurves fillcolor rgb '{}' fillstyle solid 0.18 noborder title "
                          "'between the four fits', ", y + 3, y + 4, look.colour);
    if (fitted)
      fits += fmt::format("DATA using 1:{} skip 1 with lines linewidth 1.5 dashtype {} linecolor rgb '{}' notitle, ", y + 2, look.dash, look.colour);
    points += fmt::format("{}DATA using 1:{}:{} skip 1 with yerrorbars pointtype {} pointsize 0.8 linewidth 1.2 linecolor rgb '{}' title {}",
                          points.empty() ? "" : ", ", y, y + 1, look.point, look.colour, gnuplot_quote(table.columns[y - 1]));
  }
  FigureSpec figure{name, series.table, "", 16, 10};
  figure.script = fmt::format(
      "set logscale xy 10\nset xrange [{0}:{1}]\nset xtics ({2})\nset format y '%g'\n"
      "set title {3} noenhanced\n"
      "set xlabel '{4} (log scale)'\nset ylabel 'rate × updates (log scale)'\nset yrange [{8:g}:{9:g}]\n"
      "set key top left Left reverse noenhanced\n"
      "plot {5}{6}{10:g}*(x/{11:g})**{12} with lines linewidth 1 dashtype 3 linecolor rgb '{13}' title {14}, {7}\n",
      low / 1.1, high * 1.05, tics, gnuplot_quote("Emergence time, " + series.configuration), over_T ? "sequence length T" : "vocabulary size N",
      bands, fits, points, least / 1.6, most * 3, time, size, over_T ? 2 : 1, colour::grey, over_T ? "'slope of T²'" : "'slope of N'");
  return figure;
}

}  // namespace popgrad
