#include "reports/gate_decay.hpp"

#include <fmt/format.h>

#include "reports/dimension_axis.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {

FigureSpec gate_decay_figure(const std::string& name, FigureSeries series) {
  require_columns(series, {"d", "rms of the W_K1 gradient", "standard error", "law sqrt(C/d)"});
  FigureTable& table = series.table;
  const std::string axis = dimension_axis(series);
  // gnuplot numbers columns from 1.
  const std::size_t x = table.column("d") + 1, m = table.column("rms of the W_K1 gradient") + 1,
                    s = table.column("standard error") + 1, l = table.column("law sqrt(C/d)") + 1;
  FigureSpec figure{name, std::move(table), "", 16, 10};
  figure.script = fmt::format(
      "{0}{1}set logscale y 10\n"
      "set title {2} noenhanced\n"
      "set ylabel 'rms of ‖∂L/∂W_K1‖ over embeddings' noenhanced\n"
      "set ytics format '%g' add (0.002, 0.005, 0.02, 0.05)\n"
      "set key top right Left reverse\n"
      "plot DATA using {3}:{6} skip 1 with lines linewidth 2 linecolor rgb '{7}' title 'leading order √(C/d)', "
      "DATA using {3}:{4}:(2*${5}) skip 1 {8} title 'measured, 2 standard errors'\n",
      axis, dimension_label, gnuplot_quote("W_O2 = 0 at finite d: " + series.configuration), x, m, s, l, colour::blue,
      measured_style());
  return figure;
}

}  // namespace popgrad
