#include "reports/gradient_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/signed_scale.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

constexpr std::array letters = {"U", "E", "P", "R", "S"};
constexpr double page = 16, left_cm = 1.0, right_cm = 3.9, gap_cm = 1.1, above_cm = 1.25, title_cm = 1.3, note_cm = 0.9;

// The rows or columns of a panel: how many cells each block has, by block.
using Axis = std::map<int, int>;

int length(const Axis& axis) {
  int cells = 0;
  for (const auto& [block, count] : axis) cells += count;
  return cells;
}

struct Panel {
  std::string title;
  Axis rows, columns;
  std::size_t first = 0, points = 0;  // in the table
  double largest = 0;
  bool outputs() const { return rows.contains(0); }
  // The map's memory: (U,E), (E,R) or (P,P).
  std::pair<int, int> memory() const { return outputs() ? std::pair(0, 1) : rows.contains(3) ? std::pair(1, 3) : std::pair(2, 2); }
};

int offset(const Axis& axis, int block) {
  int cells = 0;
  for (const auto& [before, count] : axis)
    if (before < block) cells += count;
  return cells;
}

std::vector<Panel> panels_of(const FigureSeries& series, const std::vector<std::string>& titles) {
  const auto bad = [&](const std::string& what) {
    return InputError("results", "figure '" + series.figure + "' " + what, "the entries of whole matrices");
  };
  std::vector<Panel> panels;
  double number = -1;
  for (std::size_t i = 0; i < series.table.rows.size(); ++i) {
    const std::vector<double>& row = series.table.rows[i];
    for (std::size_t c = 0; c < 5; ++c)
      if (!(row[c] >= (c % 2 == 0 ? 1 : 0) && row[c] == std::floor(row[c]) && row[c] < 1e6)) throw bad("with an index that is none");
    if (row[1] > 4 || row[3] > 4) throw bad("with a block that is none");
    if (row[0] != number) {
      number = row[0];
      if (number > static_cast<double>(titles.size())) throw bad("with more panels than titles");
      panels.push_back({titles[static_cast<std::size_t>(number) - 1], {}, {}, i, 0, 0});
    }
    Panel& panel = panels.back();
    int &rows = panel.rows[static_cast<int>(row[1])], &columns = panel.columns[static_cast<int>(row[3])];
    rows = std::max(rows, static_cast<int>(row[2]));
    columns = std::max(columns, static_cast<int>(row[4]));
    ++panel.points;
    if (std::isfinite(row[5])) panel.largest = std::max(panel.largest, std::abs(row[5]));
  }
  for (const Panel& panel : panels) {
    // The table is sorted: entry i of a panel is where a whole matrix has it, or something is missing or given twice.
    if (panel.points != static_cast<std::size_t>(length(panel.rows)) * static_cast<std::size_t>(length(panel.columns)))
      throw bad("with " + std::to_string(panel.points) + " entries");
    for (std::size_t i = 0; i < panel.points; ++i) {
      const std::vector<double>& row = series.table.rows[panel.first + i];
      const int at = (offset(panel.rows, static_cast<int>(row[1])) + static_cast<int>(row[2]) - 1) * length(panel.columns) +
                     offset(panel.columns, static_cast<int>(row[3])) + static_cast<int>(row[4]) - 1;
      if (at != static_cast<int>(i)) throw bad("with an entry given twice");
    }
  }
  return panels;
}

SignedScale scale_of(const std::vector<Panel>& panels) {
  double largest = 0, smallest = INFINITY;
  for (const Panel& panel : panels) {
    largest = std::max(largest, panel.largest);
    if (panel.largest > 0) smallest = std::min(smallest, panel.largest);
  }
  if (!(largest > 0)) return {1, 1};
  return {std::pow(10, std::floor(std::log10(smallest)) - 1), largest};
}

// Block names along an axis, lines between blocks.
std::string decoration(const Panel& panel, double cell) {
  std::string text;
  const double height = length(panel.rows), width = length(panel.columns);
  const auto line = [&](double x0, double y0, double x1, double y1, double line_width = 0.8, const char* paint = colour::grey) {
    text += fmt::format("set arrow from {},{} to {},{} nohead front linewidth {} linecolor rgb '{}'\n", x0, y0, x1, y1, line_width, paint);
  };
  for (const auto& [block, count] : panel.columns) {
    const double at = offset(panel.columns, block) - 0.5;
    text += fmt::format("set label '{}' at {},{} center offset 0,0.5\n", letters[static_cast<std::size_t>(block)], at + count / 2.0, -0.5);
    if (at > 0) line(at, -0.5, at, height - 0.5);
  }
  for (const auto& [block, count] : panel.rows) {
    const double at = offset(panel.rows, block) - 0.5;
    text += fmt::format("set label '{}' at {},{} right offset -0.6,0\n", letters[static_cast<std::size_t>(block)], -0.5, at + count / 2.0);
    if (at > 0) line(-0.5, at, width - 0.5, at);
  }
  const auto [row, column] = panel.memory();
  if (!panel.rows.contains(row) || !panel.columns.contains(column)) return text;
  const double x = offset(panel.columns, column) - 0.5, y = offset(panel.rows, row) - 0.5;
  const double right = x + panel.columns.at(column), below = y + panel.rows.at(row), thick = cell > 0.15 ? 2.5 : 1.5;
  // After the other lines, which would cover it.
  line(x, y, right, y, thick, colour::black);
  line(right, y, right, below, thick, colour::black);
  line(right, below, x, below, thick, colour::black);
  line(x, below, x, y, thick, colour::black);
  return text;
}

// gnuplot: the coordinate of a block's first cell.
std::string offset_function(const char* name, const Axis& axis) {
  std::string text = std::string(name) + "(b) = ";
  for (const auto& [block, count] : axis) text += fmt::format("b == {} ? {} : ", block, offset(axis, block));
  return text + "NaN\n";
}

}  // namespace

FigureSpec gradient_blocks_figure(const std::string& name, FigureSeries series, const std::string& title, const std::vector<std::string>& titles) {
  require_columns(series, {"panel", "row block (0 U, 1 E, 2 P, 3 R, 4 S)", "row index", "column block", "column index", "entry", "N"});
  std::stable_sort(series.table.rows.begin(), series.table.rows.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.begin() + 5, b.begin(), b.begin() + 5);
  });
  std::vector<Panel> panels = panels_of(series, titles);
  const SignedScale scale = scale_of(panels);
  // Maps of outputs each on a line of their own, then the others side by side.
  std::vector<std::vector<Panel>> lines;
  for (const Panel& panel : panels)
    if (panel.outputs()) lines.push_back({panel});
  std::vector<Panel> rest;
  for (const Panel& panel : panels)
    if (!panel.outputs()) rest.push_back(panel);
  if (!rest.empty()) lines.push_back(rest);

  double cell = 0.6;
  for (const auto& line : lines) {
    int cells = 0;
    for (const Panel& panel : line) cells += length(panel.columns);
    cell = std::min(cell, (page - left_cm - right_cm - gap_cm * static_cast<double>(line.size() - 1)) / cells);
  }
  std::vector<double> heights;
  double height = title_cm + note_cm;
  for (const auto& line : lines) {
    int cells = 0;
    for (const Panel& panel : line) cells = std::max(cells, length(panel.rows));
    heights.push_back(above_cm + cells * cell);
    height += heights.back();
  }
  FigureSpec figure{name, series.table, "", page, std::max(height, 6.0)};
  height = figure.height_cm;
  const double N = series.table.rows.front()[6];
  int tokens = 0;
  for (const Panel& panel : panels)
    for (const auto& axis : {panel.rows, panel.columns})
      for (const auto& [block, count] : axis)
        if (block != 2 && block != 4) tokens = std::max(tokens, count);
  const std::string note = tokens < N ? fmt::format("; {} of {:.0f} tokens drawn, the others repeat them", tokens, N) : "";

  figure.script = scale.commands(fmt::format("entry (log scale, linear below {:g})", scale.linear)) +
                  "unset grid\nset border 15 linewidth 0.8\nunset key\nunset xtics\nunset ytics\n" +
                  fmt::format("set colorbox user origin screen {}, screen {} size screen 0.022, screen {}\n", 1 - (right_cm - 0.95) / page, note_cm / height,
                              1 - (note_cm + title_cm + above_cm) / height) +
                  fmt::format("set label {} at screen 0.5, screen {} center noenhanced\n", gnuplot_quote(title), 1 - 0.5 / height) +
                  fmt::format("set label {} at screen 0.5, screen {} center noenhanced\n", gnuplot_quote(series.configuration), 1 - 1.0 / height) +
                  fmt::format("set label {} at screen 0.5, screen {} center noenhanced\n",
                              gnuplot_quote("rows: output or query; columns: key; outlined: the memory" + note), 0.4 / height) +
                  "set multiplot\n";
  double top = height - title_cm;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    double left = left_cm;
    for (const Panel& panel : lines[l]) {
      const double width = cell * length(panel.columns), y = top - above_cm;
      figure.script += offset_function("x_of", panel.columns) + offset_function("y_of", panel.rows) + decoration(panel, cell);
      figure.script += fmt::format(
          "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n"
          "set label {} at graph 0, graph 1 left offset 0,1.5 noenhanced\n"
          "set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n"
          "plot DATA using (x_of($4) + $5 - 1):(y_of($2) + $3 - 1):(scaled($6)) skip 1 every ::{}::{} with image pixels\n"
          "unset label\nunset arrow\nunset colorbox\n",
          left / page, (left + width) / page, y / height, (y - cell * length(panel.rows)) / height, gnuplot_quote(panel.title),
          length(panel.columns) - 0.5, length(panel.rows) - 0.5, panel.first, panel.first + panel.points - 1);
      left += width + gap_cm;
    }
    top -= heights[l];
  }
  figure.script += "unset multiplot\n";
  return figure;
}

FigureSpec stage_gradients_figure(const std::string& name, const FigureSeries& series) {
  return gradient_blocks_figure(name, series, "−∂L of the three steps, ideal hand-off, leading order",
                                {"step 1: W_O", "step 2: W_K2, per α", "step 3: W_K1, per αβ"});
}

}  // namespace popgrad
