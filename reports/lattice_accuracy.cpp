#include "reports/lattice_accuracy.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {

FigureSpec lattice_accuracy_figure(const std::string& name, FigureSeries series) {
  require_columns(series, {"ideal hand-off", "full blocks", "any background", "any query", "chance", "step 1", "step 2",
                           "step 3", "standard error", "ideal head"});
  const FigureTable& table = series.table;
  if (table.rows.empty())
    throw InputError("results", "figure '" + series.figure + "' without rows", "a row for each row of the lattice");
  const auto at = [&](std::size_t row, const char* column) { return table.rows[row][table.column(column)]; };

  // Tics name background and query; a heading above spans the rows that share hand-off and blocks.
  std::string tics, headings;
  const auto group = [&](std::size_t row) { return 2 * at(row, "ideal hand-off") + at(row, "full blocks"); };
  for (std::size_t row = 0, first = 0; row < table.rows.size(); ++row) {
    tics += fmt::format("{}'{}, {}' {}", row == 0 ? "" : ", ", at(row, "any background") == 0 ? "avoid" : "any",
                        at(row, "any query") == 0 ? "last" : "any", row);
    const bool ends = row + 1 == table.rows.size() || group(row + 1) != group(row);
    if (!ends) continue;
    headings += fmt::format("set label \"{} hand-off\\n{} blocks\" at first {}, graph 1 center offset 0,1.6\n",
                            at(row, "ideal hand-off") == 0 ? "actual" : "ideal",
                            at(row, "full blocks") == 0 ? "isolated" : "full", static_cast<double>(first + row) / 2);
    if (row + 1 < table.rows.size())
      headings +=
          fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1.12 nohead front linecolor rgb '{1}'\n",
                      static_cast<double>(row) + 0.5, colour::grey);
    first = row + 1;
  }
  FigureSpec figure{name, table, "", 18, 11};
  const auto column = [&](const char* of) { return table.column(of) + 1; };  // gnuplot counts from 1
  const auto bar = [&](const char* of, double shift, const char* fill) {
    return fmt::format(
        "DATA using ($0+{}):{} skip 1 with boxes fillstyle solid 1 border rgb '{}' linecolor rgb '{}' linewidth 1 title "
        "'{}', ",
        shift, column(of), colour::black, fill, of);
  };
  figure.script = fmt::format(
      "set title {0} noenhanced offset 0,2.4\nset tmargin 6.5\n"
      "set key outside bottom center horizontal Left reverse\n"
      "set xrange [-0.6:{1}]\nset yrange [0:1.02]\nset xtics ({2}) rotate by 45 right nomirror scale 0\n"
      "set ylabel 'accuracy'\nset boxwidth 0.24\n"
      "{3}"
      "plot {4}{5}{6}"
      "DATA using ($0+0.26):{7}:(${8} > 0 ? 2*${8} : NaN) skip 1 with yerrorbars pointtype -1 linewidth 1.5 linecolor rgb "
      "'{9}' notitle, "
      "DATA using ($0-0.42):{10}:(0.84):(0) skip 1 with vectors nohead linewidth 2 linecolor rgb '{11}' title 'ideal head', "
      "DATA using ($0-0.5):{12}:(1):(0) skip 1 with vectors nohead linewidth 2 dashtype 2 linecolor rgb '{9}' title "
      "'chance'\n",
      gnuplot_quote("Best accuracy after each step: " + series.configuration),
      static_cast<double>(figure.table.rows.size()) - 0.4, tics, headings, bar("step 1", -0.26, "#FFFFFF"),
      bar("step 2", 0, colour::sky), bar("step 3", 0.26, colour::blue), column("step 3"), column("standard error"),
      colour::black, column("ideal head"), colour::vermillion, column("chance"));
  return figure;
}

}  // namespace popgrad
