#include "reports/onestep_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/dimension_axis.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {

FigureSpec onestep_accuracy_figure(const std::string& name, FigureSeries series) {
  require_columns(series, {"d", "predicted accuracy", "prediction error", "measured accuracy", "standard error"});
  FigureTable& table = series.table;
  const std::size_t d = table.column("d");
  const std::string axis = dimension_axis(series);
  std::stable_sort(table.rows.begin(), table.rows.end(), [d](const auto& a, const auto& b) { return a[d] < b[d]; });

  // gnuplot numbers columns from 1.
  const std::size_t x = d + 1, p = table.column("predicted accuracy") + 1, e = table.column("prediction error") + 1,
                    m = table.column("measured accuracy") + 1, s = table.column("standard error") + 1;
  // The lower panel holds every error bar and the band, around 0.
  double reach = 0;
  for (const auto& row : table.rows) {
    if (std::isfinite(row[e - 1])) reach = std::max(reach, row[e - 1]);
    const double far = std::abs(row[m - 1] - row[p - 1]) + 2 * (std::isfinite(row[s - 1]) ? row[s - 1] : 0);
    if (std::isfinite(far)) reach = std::max(reach, far);
  }
  const double half = reach > 0 ? 1.1 * reach : 1;
  // A stated error thinner than a line would be a word in the key without a drawing.
  const bool band = table.range(e - 1).second > 0.01 * half;
  const bool measured =
      std::any_of(table.rows.begin(), table.rows.end(), [m](const auto& r) { return std::isfinite(r[m - 1]); });

  // One dimension alone has no curve: a ring around the measured point, and a box for the band.
  const auto [least, greatest] = table.range(d);
  const bool alone = least == greatest;
  const auto band_around = [&](const std::string& centre, const char* title) {
    const std::string style = fmt::format("linecolor rgb '{}' fillstyle solid 0.3 noborder {}", colour::sky, title);
    const std::string ends = fmt::format("({0}-${1}):({0}+${1})", centre, e);
    return alone ? fmt::format("DATA using {0}:({1}):(${0}/1.25):(${0}*1.25):{2} skip 1 with boxxyerror {3}, ", x, centre, ends, style)
                 : fmt::format("DATA using {0}:{1} skip 1 with filledcurves {2}, ", x, ends, style);
  };
  const char* shape = alone ? "points pointtype 6 pointsize 1.6 linewidth 2" : "lines linewidth 2";
  std::string upper = "plot ";
  if (band) upper += band_around(fmt::format("${}", p), "title 'stated error of the prediction'");
  upper += fmt::format("DATA using {}:{} skip 1 with {} linecolor rgb '{}' title 'predicted'", x, p, shape, colour::blue);
  if (measured)
    upper += fmt::format(", DATA using {0}:{1}:(2*${2}) skip 1 {3} title 'measured, 2 standard errors'", x, m, s,
                         measured_style());
  std::string lower = "plot ";
  if (band) lower += band_around("0", "notitle");
  lower += fmt::format("0 with lines linewidth 2 linecolor rgb '{}' notitle", colour::blue);
  if (measured)
    lower += fmt::format(", DATA using {0}:(${1}-${2}):(2*${3}) skip 1 {4} notitle", x, m, p, s, measured_style());

  const bool high_end = table.rows.back()[p - 1] > 0.5;  // the key goes where the curve does not
  FigureSpec figure{name, std::move(table), "", 16, 13};
  figure.script = fmt::format(
      "set multiplot\n"
      "set lmargin at screen 0.17\nset rmargin at screen 0.97\n"
      "{0}"
      "set title {2} noenhanced offset 0,-0.3\n"
      "set tmargin at screen 0.92\nset bmargin at screen 0.43\n"
      "set format x ''\nset ylabel 'accuracy (fraction of inputs)'\n"
      "set yrange [0:1.05]\nset ytics 0,0.2,1\nset key {8} right Left reverse\n"
      "{3}\n"
      "unset title\nunset key\n"
      "set tmargin at screen 0.38\nset bmargin at screen 0.14\n"
      "set format x '%.0f'\n{1}"
      "set ylabel 'measured − predicted' offset 1,0\nset yrange [{5}:{6}]\nset ytics {7} format '%g'\n"
      "{4}\n"
      "unset multiplot\n",
      axis, dimension_label, gnuplot_quote("One gradient step from zero: " + series.configuration), upper, lower, -half,
      half, tic_step(2 * half, 5), high_end ? "bottom" : "top");
  return figure;
}

}  // namespace popgrad
