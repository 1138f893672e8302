#include "reports/step_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

constexpr double width_cm = 16, left_cm = 2.1, right_cm = 2.3, gap_cm = 0.4, top_cm = 1.7, bottom_cm = 1.6, title_cm = 0.8;

struct Grid {
  std::vector<double> first, second, third, accuracy;
  double level = 0;
  std::size_t at(std::size_t i, std::size_t j, std::size_t k) const { return (i * second.size() + j) * third.size() + k; }
};

std::vector<double> distinct(const FigureTable& table, std::size_t column) {
  std::vector<double> values;
  for (const auto& row : table.rows)
    if (std::find(values.begin(), values.end(), row[column]) == values.end()) values.push_back(row[column]);
  return values;
}

Grid read_grid(const FigureSeries& series) {
  require_columns(series, step_sizes_columns());
  const FigureTable& table = series.table;
  const auto& names = step_sizes_columns();
  const std::size_t one = table.column(names[0]), two = table.column(names[1]), three = table.column(names[2]),
                    value = table.column(names[5]), level = table.column(names[7]);
  Grid grid{distinct(table, one), distinct(table, two), distinct(table, three), {}, table.rows.front()[level]};
  bool fits = table.rows.size() == grid.first.size() * grid.second.size() * grid.third.size() && grid.first.size() <= 12 &&
              grid.second.size() <= 40 && grid.third.size() <= 40;
  for (std::size_t i = 0; fits && i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const std::size_t seconds = grid.second.size(), thirds = grid.third.size();
    fits = row[one] == grid.first[i / thirds / seconds] && row[two] == grid.second[i / thirds % seconds] &&
           row[three] == grid.third[i % thirds] && row[value] >= 0 && row[value] <= 1;
    grid.accuracy.push_back(row[value]);
  }
  if (!fits)
    throw InputError("results", "figure '" + series.figure + "' whose rows are no grid",
                     "every (eta1, eta2, eta3) of at most 12 x 40 x 40 once, the last size fastest, accuracies in 0..1");
  return grid;
}

// Two digits, and no exponent where it says less than the zeros.
std::string label(double x) {
  const double size = std::abs(x);
  return size >= 100 && size < 1e5 ? fmt::format("{:.0f}", x) : fmt::format("{:.2g}", x);
}

// Labels that do not touch: `apart` cells at least from one to the next.
std::string tics(const std::vector<double>& values, double cell_cm, bool across) {
  std::size_t longest = 0;
  for (const double x : values) longest = std::max(longest, label(x).size());
  const double needed = across ? 0.2 * static_cast<double>(longest) + 0.25 : 0.5;
  const auto apart = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell_cm)));
  std::string text;
  for (std::size_t i = 0; i < values.size(); i += apart)
    text += fmt::format("{}'{}' {}", text.empty() ? "" : ", ", label(values[i]), i);
  return text;
}

// Around the cells above the level, edge by edge.
std::string outline(const Grid& grid, std::size_t i) {
  const auto above = [&](int j, int k) {
    return j >= 0 && k >= 0 && j < static_cast<int>(grid.second.size()) && k < static_cast<int>(grid.third.size()) &&
           grid.accuracy[grid.at(i, static_cast<std::size_t>(j), static_cast<std::size_t>(k))] > grid.level;
  };
  std::string text;
  const auto edge = [&](double x0, double y0, double x1, double y1) {
    text += fmt::format("set arrow from first {}, first {} to first {}, first {} nohead front linewidth 2.5 linecolor rgb '{}'\n", x0, y0,
                        x1, y1, colour::vermillion);
  };
  for (int j = 0; j <= static_cast<int>(grid.second.size()); ++j)
    for (int k = 0; k <= static_cast<int>(grid.third.size()); ++k) {
      if (above(j, k) != above(j - 1, k)) edge(j - 0.5, k - 0.5, j - 0.5, k + 0.5);
      if (above(j, k) != above(j, k - 1)) edge(j - 0.5, k - 0.5, j + 0.5, k - 0.5);
    }
  return text;
}

std::string datablock(const Grid& grid, std::size_t i) {
  std::string text = fmt::format("$PANEL{} << EOD\n", i);
  for (std::size_t k = 0; k < grid.third.size(); ++k)
    for (std::size_t j = 0; j < grid.second.size(); ++j)
      text += fmt::format("{}\t{}\t{}\n", j, k, grid.accuracy[grid.at(i, j, k)]);
  return text + "EOD\n";
}

}  // namespace

const std::vector<std::string>& step_sizes_columns() {
  static const std::vector<std::string> columns = {"eta1 / unit",
                                                   "eta2 / unit",
                                                   "eta3 / unit",
                                                   "accuracy after 1 step",
                                                   "accuracy after 2 steps",
                                                   "accuracy after 3 steps",
                                                   "standard error of the last",
                                                   "success above"};
  return columns;
}

FigureSpec step_sizes_figure(const std::string& name, FigureSeries series) {
  const Grid grid = read_grid(series);
  const std::size_t panels = grid.first.size(), most = panels == 4 ? 2 : panels <= 9 ? 3 : 4;
  const std::size_t rows = (panels + most - 1) / most, columns = (panels + rows - 1) / rows;
  const double panel_width = (width_cm - left_cm - right_cm + gap_cm) / static_cast<double>(columns) - gap_cm;
  const double cell = panel_width / static_cast<double>(grid.second.size());
  const double panel_height = std::clamp(cell * static_cast<double>(grid.third.size()), 3.0, 5.5);
  const double height = top_cm + bottom_cm + static_cast<double>(rows) * (panel_height + title_cm);
  FigureSpec figure{name, std::move(series.table), "", width_cm, height};
  const auto across = [&](double cm) { return cm / width_cm; };
  const auto up = [&](double cm) { return cm / height; };
  // The key of the colours stands in the margin of the first panel; the outline is named in the title.
  figure.script = fmt::format(
      "set multiplot\nunset grid\nunset key\nset border 15\nset tics scale 0\n"
      "set palette defined (0 '#FFFFFF', 0.25 '#BFD7EA', 0.5 '#6BA3D0', 0.75 '#2F6DA8', 1 '#0B2E5C')\nset cbrange [0:1]\n"
      "set label 1 {} at screen 0.5, screen {} center noenhanced\n"
      "set label 4 'accuracy after three steps; outlined: above {:.3g}' at screen 0.5, screen {} center noenhanced\n"
      "set label 2 'η_2 / unit' at screen {}, screen {} center\n"
      "set label 3 'η_3 / unit' at screen {}, screen {} center rotate by 90\n",
      gnuplot_quote(series.configuration), 1 - up(0.45), grid.level, 1 - up(1.05), across(left_cm + (width_cm - left_cm - right_cm) / 2), up(0.4),
      across(0.35), up(bottom_cm + (height - bottom_cm - top_cm) / 2));
  for (std::size_t i = 0; i < panels; ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const double x0 = left_cm + static_cast<double>(column) * (panel_width + gap_cm);
    const double y1 = height - top_cm - title_cm - static_cast<double>(row) * (panel_height + title_cm);
    const bool lowest = i + columns >= panels, leftmost = column == 0;
    figure.script += datablock(grid, i) + "unset arrow\n" + outline(grid, i);
    figure.script += fmt::format(
        "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n"
        "set title 'η_1 = {:.3g} units' offset 0,-0.7\n"
        "set xrange [-0.5:{}]\nset yrange [-0.5:{}]\n{}\n{}\n",
        across(x0), across(x0 + panel_width), up(y1), up(y1 - panel_height), grid.first[i],
        static_cast<double>(grid.second.size()) - 0.5, static_cast<double>(grid.third.size()) - 0.5,
        lowest ? "set xtics (" + tics(grid.second, cell, true) + ")" : "unset xtics",
        leftmost ? "set ytics (" + tics(grid.third, panel_height / static_cast<double>(grid.third.size()), false) + ")" : "unset ytics");
    if (i == 0)
      figure.script += fmt::format(
          "set colorbox user origin screen {}, screen {} size screen {}, screen {}\n"
          "set cbtics 0.25 format '%g'\nset cblabel 'accuracy'\n",
          across(width_cm - right_cm + 0.35), up(bottom_cm), across(0.35), up(height - bottom_cm - top_cm - title_cm));
    else
      figure.script += "unset colorbox\n";
    figure.script += fmt::format("plot $PANEL{} using 1:2:3 with image pixels\n", i);
    if (i == 0) figure.script += "unset label\n";
  }
  figure.script += "unset multiplot\n";
  return figure;
}

}  // namespace popgrad
