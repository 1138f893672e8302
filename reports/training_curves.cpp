#include "reports/training_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

struct Curve {
  const char* column;
  const char* title;
  const char* colour;
  int dash;   // gnuplot dashtype
  int point;  // gnuplot pointtype
};

// Points only at about a dozen places, so that shapes stay apart on dense curves.
std::string curve(const FigureTable& table, const Curve& c) {
  const std::size_t every = table.rows.size() / 12 + 1;
  return fmt::format(
      "DATA using 1:{} skip 1 with linespoints linewidth 2 dashtype {} pointtype {} pointsize 0.7 pointinterval {} "
      "linecolor rgb"
      " '{}' title '{}'",
      table.column(c.column) + 1, c.dash, c.point, every, c.colour, c.title);
}

std::string chance(const FigureTable& table, const Curve& c) {
  return fmt::format("DATA using 1:{} skip 1 with lines linewidth 1.2 dashtype 3 linecolor rgb '{}' notitle",
                     table.column(std::string(c.column) + ", chance") + 1, c.colour);
}

bool measured(const FigureTable& table, const char* column) {
  const std::size_t at = table.column(column);
  for (const auto& row : table.rows)
    if (row[at] == row[at]) return true;
  return false;
}

std::string join(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "plot " : ", \\\n  ") + part;
  return all;
}

constexpr std::array losses = {
    Curve{"loss (nats)", "loss", colour::black, 1, 7},
    Curve{"KL to the bigram law (nats)", "KL to the bigram law", colour::purple, 2, 13},
};
constexpr std::array recalls = {
    Curve{"in-context accuracy", "in-context accuracy", colour::black, 1, 7},
    Curve{"R(W_O2)", "R(W_O2)", colour::orange, 2, 5},
    Curve{"R(W_K2)", "R(W_K2)", colour::green, 4, 9},
    Curve{"R(W_K1)", "R(W_K1)", colour::blue, 5, 11},
};

// From 0, with room for a key above several curves; or, where training diverged, in decades: longer numbers would leave no
// room for the label.
std::string loss_axis(double highest, bool key) {
  if (highest > 1000)
    return fmt::format("set logscale y 10\nset yrange [*:*]\nset ytics 1e{:.0f}\nset format y '10^{{%T}}'\n",
                       std::max(1.0, tic_step(std::log10(highest), 5)));
  const double top = highest > 0 ? (key ? 1.7 : 1.1) * highest : 1;
  return fmt::format("set yrange [0:{}]\nset ytics {}\n", top, tic_step(top, 5));
}

}  // namespace

FigureSpec training_curves_figure(const std::string& name, const std::string& title, const FigureTable& table) {
  std::vector<std::string> upper, lower;
  for (const Curve& c : losses)
    if (measured(table, c.column)) upper.push_back(curve(table, c));
  for (const Curve& c : recalls)
    if (measured(table, c.column)) lower.push_back(curve(table, c));
  for (const Curve& c : recalls)
    if (measured(table, c.column)) lower.push_back(chance(table, c));
  // An axis without a curve is still drawn: gnuplot refuses to plot nothing.
  for (auto* panel : {&upper, &lower})
    if (panel->empty()) panel->push_back("NaN notitle");

  const bool alone = upper.size() == 1;  // the axis names the curve
  double highest = 0;
  for (const Curve& c : losses) highest = std::max(highest, table.range(table.column(c.column)).second);
  const double last = table.range(0).second;
  FigureSpec figure{name, table, "", 16, 14};
  figure.script = fmt::format(
      "set multiplot\n"
      "set lmargin at screen 0.13\nset rmargin at screen 0.96\n"
      "set xrange [0:{0}]\n"
      "set title {1} noenhanced offset 0,-0.3\n"
      "set tmargin at screen 0.93\nset bmargin at screen 0.68\n"
      "set format x ''\nset ylabel '{5}'\n{2}{6}\n"
      "{3}\n"
      "unset title\nunset logscale y\nset format y '% h'\n"
      "set tmargin at screen 0.63\nset bmargin at screen 0.235\n"
      "set format x '%.0f'\nset xlabel 'step (updates)'\n"
      "set ylabel 'fraction (chance dotted)' offset 1,0\nset yrange [0:1.03]\nset ytics 0,0.2,1\n"
      "set key at screen 0.55,0.01 center bottom vertical maxrows 2 Left reverse\n"
      "{4}\n"
      "unset multiplot\n",
      last > 0 ? last : 1, gnuplot_quote(title), loss_axis(highest, !alone), join(upper), join(lower),
      alone ? "loss (nats)" : "loss, KL (nats)", alone ? "unset key" : "set key top right Left reverse");
  return figure;
}

}  // namespace popgrad
