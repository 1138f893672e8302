#include "reports/step1_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/errors.hpp"
#include "core/residual_blocks.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

// N and T from the entries themselves; every entry must be there once.
Coordinates shape_of(const FigureSeries& series) {
  const FigureTable& table = series.table;
  const auto k = table.column("output k"), column = table.column("column");
  const double outputs = table.range(k).second + 1, columns = table.range(column).second + 1;
  const auto bad = [&](const std::string& what) {
    return InputError("results", "figure '" + series.figure + "' " + what, "one row for each entry of an N x 2(N+T) matrix");
  };
  if (outputs * columns != static_cast<double>(table.rows.size()))
    throw bad("with " + std::to_string(table.rows.size()) + " rows");
  std::vector<bool> seen(table.rows.size(), false);
  for (const auto& row : table.rows) {
    const double at = row[k] * columns + row[column];
    if (!(row[k] >= 0 && row[column] >= 0 && at == std::floor(at) && row[k] == std::floor(row[k])))
      throw bad("with an index that is not a whole number");
    if (seen[static_cast<std::size_t>(at)]) throw bad("with an entry given twice");
    seen[static_cast<std::size_t>(at)] = true;
  }
  const int N = static_cast<int>(outputs), size = static_cast<int>(columns);
  if (size % 2 != 0 || size / 2 <= N) throw bad("with " + std::to_string(size) + " columns");
  return {N, size / 2 - N};
}

// Tics at 1 and at multiples of a round step inside a block that starts at coordinate `first`, at least `apart` cells from
// each other and from the next block's first tic.
std::string tics(int first, int count, double apart, bool last) {
  const int step = static_cast<int>(std::max(1.0, tic_step(apart, 1)));
  std::string list;
  for (int i = 1; i <= count; ++i) {
    const bool fits = i % step == 0 && i - 1 >= apart && (last || count + 1 - i >= apart);
    if (i == 1 || fits) list += fmt::format("{}'{}' {}", list.empty() ? "" : ", ", i, first + i - 1);
  }
  return list;
}

}  // namespace

FigureSpec step1_memory_figure(const std::string& name, FigureSeries series) {
  require_columns(series, {"output k", "column", "value"});
  const Coordinates at = shape_of(series);
  const FigureTable& table = series.table;
  const auto [low, high] = table.range(table.column("value"));
  const double limit = std::max(std::abs(low), std::abs(high));

  std::string decoration, x_tics;
  // Cells that a label needs: 0.22 cm a digit at 11 pt and a gap, on a plot about 10.5 cm wide.
  const auto digits = static_cast<double>(std::to_string(std::max(at.N, at.T)).size());
  const double apart = (0.22 * digits + 0.2) * at.size() / 10.5;
  for (const Block block : all_blocks) {
    const int first = at.first(block), count = at.count(block);
    x_tics += (x_tics.empty() ? "" : ", ") + tics(first, count, apart, block == Block::S);
    decoration += fmt::format("set label '{}' at first {}, graph 1 center offset 0,0.6\n", popgrad::name(block),
                              first + (count - 1) / 2.0);
    if (first > 0)
      decoration += fmt::format(
          "set arrow from first {0}, graph 0 to first {0}, graph 1 nohead front linewidth 1.2 linecolor"
          " rgb '{1}'\n",
          first - 0.5, colour::black);
  }
  FigureSpec figure{name, table, "", 16, std::clamp(6.0 + 0.5 * at.N, 8.0, 12.0)};
  figure.script = fmt::format(
      "set lmargin at screen 0.11\nset rmargin at screen 0.77\nset tmargin at screen {13}\nset bmargin at screen {14}\n"
      "set title {0} noenhanced offset 0,0.6\n"
      "unset grid\nset border 15\nset tics scale 0\nunset key\n"
      "set xrange [-0.5:{1}]\nset yrange [{2}:-0.5]\n"
      "set xtics ({3})\nset ytics ({4})\n"
      "set xlabel \"index within the block\\n(E token, P position, R remapped token, S remapped position)\"\n"
      "set ylabel 'output token k'\n"
      "set palette defined (-1 '{5}', 0 '#FFFFFF', 1 '{6}')\nset cbrange [{7}:{8}]\n"
      "set cblabel 'entry of −∂L/∂W_O' noenhanced\nset cbtics {16} format '%g'\n"
      "{9}"
      "plot DATA using {10}:{11}:{12} skip 1 with image{15}\n",
      gnuplot_quote("First step of W_O, block by block: " + series.configuration), at.size() - 0.5, at.N - 0.5, x_tics,
      tics(0, at.N, at.N / 12.0, true), colour::blue, colour::vermillion, limit > 0 ? -limit : -1, limit > 0 ? limit : 1,
      decoration, table.column("column") + 1, table.column("output k") + 1, table.column("value") + 1,
      1 - 1.6 / figure.height_cm, 2.6 / figure.height_cm, table.rows.size() <= 4000 ? " pixels" : "",
      tic_step(limit > 0 ? 2 * limit : 2, 5));
  return figure;
}

}  // namespace popgrad
