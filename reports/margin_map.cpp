#include "reports/margin_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/signed_scale.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

// One hundredth of the units that margins are given in, in which they tend to numbers of order one.
constexpr double linear_part = 0.01;

std::string log_axis(char axis, double low, double high) {
  std::string tics;
  for (const int x : {2, 3, 4, 6, 10, 20, 40, 100})
    if (x > low && x < high) tics += fmt::format("{}{}", tics.empty() ? "" : ", ", x);
  return fmt::format("set logscale {0}\nset {0}range [{1}:{2}]\nset {0}tics ({3})\n", axis, low, high, tics);
}

}  // namespace

FigureSpec margin_map_figure(const std::string& name, const FigureSeries& series, const std::string& title, const std::string& unit) {
  require_columns(series, {"N", "T"});
  const FigureTable& table = series.table;
  const std::size_t n = table.column("N"), t = table.column("T");
  std::vector<std::size_t> panels;
  double limit = 0;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (column == n || column == t) continue;
    panels.push_back(column);
    const auto [low, high] = table.range(column);
    limit = std::max({limit, -low, high});
  }
  const auto bad = [&](const std::string& what) {
    return InputError("results", "figure '" + series.figure + "' " + what, "a file written by popgrad verify");
  };
  if (panels.empty()) throw bad("without a margin");
  if (!(limit > 0)) throw bad("whose margins are all zero");
  const auto [first_N, last_N] = table.range(n);
  const auto [first_T, last_T] = table.range(t);
  if (first_N < 1 || first_T < 1) throw bad("with a size below 1");

  const int columns = panels.size() == 1 ? 1 : 2, rows = static_cast<int>(panels.size() + 1) / 2;
  FigureSpec figure{name, table, "", 16, 1.5 + 6.4 * rows + 0.7};
  // The svg terminal leaves out a label of the axis that has less than 1.8 cm.
  const double top = 1 - 1.5 / figure.height_cm, bottom = 0.7 / figure.height_cm, left = 0.07, right = 0.8;
  figure.script = SignedScale{linear_part, limit}.commands(unit) + "unset grid\nset border 15\nunset key\n" +
                  log_axis('x', first_T - 0.5, last_T + 0.5) + log_axis('y', first_N - 0.5, last_N + 0.5) +
                  fmt::format("set colorbox user origin screen {}, screen {} size screen 0.025, screen {}\n", right + 0.025, bottom + 1.2 / figure.height_cm, top - bottom - 1.8 / figure.height_cm) +
                  fmt::format("set label {} at screen {}, screen {} center noenhanced\n", gnuplot_quote(title), (left + right) / 2, 1 - 0.5 / figure.height_cm) +
                  fmt::format("set label '× margin < 0 or ○ margin = 0: the memory is not formed' at screen {}, screen {} center noenhanced\n",
                              (left + right) / 2, 1 - 1.0 / figure.height_cm) +
                  "set multiplot\n";
  const double width = (right - left) / columns, height = (top - bottom) / rows;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    const std::string box = fmt::format("({0}-0.5):({0}+0.5):({1}-0.5):({1}+0.5)", fmt::format("${}", t + 1), fmt::format("${}", n + 1));
    figure.script += fmt::format(
        "set lmargin at screen {0}\nset rmargin at screen {1}\nset bmargin at screen {2}\nset tmargin at screen {3}\n"
        "set title {4} noenhanced offset 0,-0.6\nset xlabel '{5}'\nset ylabel '{6}'\n"
        "plot DATA using {7}:{8}:{9}:(scaled(${10})) skip 1 with boxxyerror fillstyle solid noborder linecolor palette, "
        "DATA using {7}:(${10} < 0 ? ${8} : NaN) skip 1 with points pointtype 2 pointsize 0.35 linewidth 1.2 linecolor rgb '{11}', "
        "DATA using {7}:(${10} == 0 ? ${8} : NaN) skip 1 with points pointtype 6 pointsize 0.5 linewidth 1.2 linecolor rgb '{11}'\n"
        "unset colorbox\n",
        left + column * width + 0.04, left + (column + 1) * width - 0.01, top - (row + 1) * height + 1.2 / figure.height_cm,
        top - row * height - 0.6 / figure.height_cm, gnuplot_quote(table.columns[panels[i]]),
        row == rows - 1 ? "sequence length T" : "", column == 0 ? "vocabulary size N" : "", t + 1, n + 1, box,
        panels[i] + 1, colour::black);
    if (i == 0) figure.script += "unset label\n";
  }
  figure.script += "unset multiplot\n";
  return figure;
}

}  // namespace popgrad
