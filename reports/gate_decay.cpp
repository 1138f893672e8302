#include "reports/gate_decay.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {

FigureSpec gate_decay_figure(const std::string& name, FigureSeries series) {
  require_columns(series, {"d", "rms of the W_K1 gradient", "standard error", "law sqrt(C/d)"});
  FigureTable& table = series.table;
  const std::size_t d = table.column("d");
  for (const auto& row : table.rows)
    if (!(row[d] > 0)) throw InputError("results", fmt::format("d = {} in figure '{}'", row[d], series.figure), "d > 0");
  const auto [low, high] = table.range(d);
  // gnuplot numbers columns from 1.
  const std::size_t x = d + 1, m = table.column("rms of the W_K1 gradient") + 1, s = table.column("standard error") + 1,
                    l = table.column("law sqrt(C/d)") + 1;
  FigureSpec figure{name, std::move(table), "", 16, 10};
  figure.script = fmt::format(
      "set logscale x 2\nset logscale y 10\nset xrange [{0}:{1}]\n"
      "set title {2} noenhanced\n"
      "set xlabel 'embedding dimension d (log scale)'\n"
      "set ylabel 'rms of ‖∂L/∂W_K1‖ over embeddings' noenhanced\n"
      "set ytics format '%g' add (0.002, 0.005, 0.02, 0.05)\n"
      "set key top right\n"
      "plot DATA using {3}:{6} skip 1 with lines linewidth 2 linecolor rgb '{7}' title 'leading order √(C/d)', "
      "DATA using {3}:{4}:(2*${5}) skip 1 with yerrorbars pointtype 7 pointsize 0.7 linewidth 1.5 linecolor rgb '{8}'"
      " title 'measured, 2 standard errors'\n",
      low / 1.25, high * 1.25, gnuplot_quote("W_O2 = 0 at finite d: " + series.configuration), x, m, s, l, colour::blue,
      colour::vermillion);
  return figure;
}

}  // namespace popgrad
