#include "reports/variance_saved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

struct Way {
  const char *column, *colour;
  int point, dash;
};
const Way ways[] = {{"naive", colour::black, 6, 1}, {"stratified", colour::sky, 4, 2}, {"both", colour::blue, 7, 1}, {"control variate", colour::orange, 8, 4}};

}  // namespace

FigureSpec variance_saved_figure(const std::string& name, FigureSeries series) {
  require_columns(series, {"stage", "alpha = beta", "naive", "stratified", "control variate", "both"});
  FigureTable& table = series.table;
  const std::size_t stage = table.column("stage"), size = table.column("alpha = beta");
  std::sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) { return std::pair(a[stage], a[size]) < std::pair(b[stage], b[size]); });
  std::set<double> stages;
  double low = INFINITY, high = 0;
  for (const auto& row : table.rows) {
    stages.insert(row[stage]);
    for (const Way& way : ways) {
      const double value = row[table.column(way.column)];
      if (!(value > 0 && row[size] > 0))
        throw InputError("results", "figure 'variance_saved' with a number that is not positive", "a file written by popgrad verify");
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const auto [first, last] = table.range(size);
  FigureSpec figure{name, table, "", 16, 9.5};
  figure.script = fmt::format(
      "set logscale xy\nset format y '10^{{%T}}'\nset xtics (0.01, 0.1, 1, 10, 100, 1000)\nset xrange [{}:{}]\nset yrange [{}:{}]\nunset key\n"
      "set label {} at screen 0.5, screen 0.96 center noenhanced\nset multiplot\n",
      first / 1.5, last * 1.5, std::pow(10, std::floor(std::log10(low))), std::pow(10, std::ceil(std::log10(high))),
      gnuplot_quote("Monte Carlo at equal work: " + series.configuration));
  const double left = 0.14, right = 0.97, width = (right - left) / static_cast<double>(stages.size());
  std::size_t panel = 0;
  for (const double at : stages) {
    const double x = left + width * static_cast<double>(panel);
    figure.script += fmt::format(
        "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen 0.84\nset bmargin at screen 0.2\n"
        "set title 'gradient of step {:.0f}, {}' noenhanced offset 0,-0.5\nset xlabel 'step size α = β (log scale)'\n",
        x + (panel > 0 ? 0.03 : 0.0), x + width - (panel > 0 ? 0.0 : 0.02), at, at == 2 ? "W_K2" : "W_K1");
    figure.script += panel == 0 ? "set ylabel 'passes for |error| = |gradient|'\nset key bottom right Left reverse\n" : "unset ylabel\nunset key\nset format y ''\n";
    std::string plots;
    for (const Way& way : ways)
      plots += fmt::format("{}DATA using (${} == {} ? ${} : NaN):{} skip 1 with linespoints linewidth 1.8 pointtype {} pointsize 0.7 dashtype {} linecolor rgb '{}' title '{}'",
                           plots.empty() ? "" : ", ", stage + 1, at, size + 1, table.column(way.column) + 1, way.point, way.dash, way.colour, way.column);
    figure.script += "plot " + plots + "\n" + (panel == 0 ? "unset label\n" : "");
    ++panel;
  }
  figure.script += "unset multiplot\n";
  return figure;
}

}  // namespace popgrad
