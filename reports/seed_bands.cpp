#include "reports/seed_bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

struct Curve {
  std::string column, title, rows;  // rows: a gnuplot condition on the columns
  const char* colour;
  int dash, point;
};

constexpr std::array<const char*, 3> parts = {"", ", low", ", high"};

void require_quantities(const FigureSeries& series, std::vector<std::string> columns, const std::vector<std::string>& quantities) {
  for (const std::string& quantity : quantities)
    for (const char* part : parts) columns.push_back(quantity + part);
  require_columns(series, columns);
  if (series.table.rows.empty()) throw InputError("results", "figure '" + series.figure + "' without a row", "at least one evaluation");
}

// Column numbers as gnuplot counts them.
std::size_t number(const FigureTable& table, const std::string& column) { return table.column(column) + 1; }

// Bands first, so that no curve is hidden; points at about ten places, apart for each curve.
std::string plot(const FigureTable& table, const std::vector<Curve>& curves, std::size_t every) {
  std::string bands, lines;
  const std::size_t step = number(table, "step");
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Curve& c = curves[i];
    const std::size_t y = number(table, c.column), low = number(table, c.column + ", low"), high = number(table, c.column + ", high");
    bands += fmt::format("DATA using ({0} ? ${1} : NaN):{2}:{3} skip 1 with filledcurves fillcolor rgb '{4}' fillstyle transparent solid 0.2 noborder notitle, \\\n  ",
                         c.rows, step, low, high, c.colour);
    lines += fmt::format("{0}DATA using ({1} ? ${2} : NaN):{3} skip 1 with linespoints linewidth 2 dashtype {4} pointtype {5} pointsize 0.7 "
                         "pointinterval {6} linecolor rgb '{7}' title {8}",
                         i == 0 ? "" : ", \\\n  ", c.rows, step, y, c.dash, c.point, every, c.colour, gnuplot_quote(c.title));
  }
  return "plot " + bands + lines + "\n";
}

struct Panel {
  std::string label, axis;  // of y; further settings
  std::string title;
  std::vector<Curve> curves;
};

// Panels of equal height below each other, keys at the right of each; the last has the axis of steps.
std::string stacked(const std::vector<Panel>& panels, const FigureTable& table, const std::string& x_axis, std::size_t every) {
  const double top = 0.895, bottom = 0.11, gap = 0.065;
  const double height = (top - bottom - gap * static_cast<double>(panels.size() - 1)) / static_cast<double>(panels.size());
  std::string script = "set multiplot\nset lmargin at screen 0.12\nset rmargin at screen 0.68\n" + x_axis;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double at = top - static_cast<double>(i) * (height + gap);
    const bool last = i + 1 == panels.size();
    script += fmt::format(
        "set tmargin at screen {:.4f}\nset bmargin at screen {:.4f}\nset title {} noenhanced offset 0,-0.6\n"
        "set ylabel '{}' offset 1,0\n{}set key at screen 0.7,{:.4f} left top vertical Left reverse samplen 2\n{}",
        at, at - height, gnuplot_quote(panels[i].title), panels[i].label, panels[i].axis, at,
        last ? "set format x '%.0f'\nset xlabel 'step (updates); bands: 95 % intervals of the mean over seeds'\n" : "set format x ''\n");
    script += plot(table, panels[i].curves, every) + (i == 0 ? "unset label 9\n" : "");
  }
  return script + "unset multiplot\n";
}

std::size_t evaluations(const FigureTable& table) {
  std::set<double> steps;
  for (const auto& row : table.rows) steps.insert(row[table.column("step")]);
  return steps.size();
}

// Several rows of a results.json carry the same curve: rows that agree in the first `keys` columns are kept once, sorted.
void keep_once(FigureTable& table, std::ptrdiff_t keys) {
  std::ranges::stable_sort(table.rows, [&](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.begin() + keys, b.begin(), b.begin() + keys);
  });
  const auto equal = [&](const auto& a, const auto& b) { return std::equal(a.begin(), a.begin() + keys, b.begin()); };
  // Not std::ranges::unique, whose subrange clang 14 cannot compile with the library of g++ 12.
  table.rows.erase(std::unique(table.rows.begin(), table.rows.end(), equal), table.rows.end());
}

constexpr const char* fraction_axis = "set yrange [0:1.03]\nset ytics 0,0.2,1\n";

}  // namespace

FigureSpec figure3(const std::string& name, FigureSeries series) {
  require_quantities(series, {"W_O2 frozen until", "step"}, {"accuracy", "R(W_O2)", "R(W_K2)", "R(W_K1)"});
  FigureTable& table = series.table;
  keep_once(table, 2);
  const std::size_t frozen = number(table, "W_O2 frozen until");
  std::set<double> releases;
  for (const auto& row : table.rows) releases.insert(row[frozen - 1]);
  std::vector<Panel> panels;
  for (const double release : releases) {
    const std::string rows = fmt::format("${} == {}", frozen, release);
    panels.push_back({"fraction",
                      fraction_axis + (release > 0 ? fmt::format("set arrow 1 from {0},0 to {0},1.03 nohead dashtype 2 linewidth 1.2 linecolor rgb '{1}'\n", release, colour::grey)
                                                   : std::string("unset arrow\n")),
                      release > 0 ? fmt::format("W_O2 frozen at its random start until update {:.0f}", release) : "all maps trained from the start",
                      {{"accuracy", "in-context accuracy", rows, colour::black, 1, 7},
                       {"R(W_O2)", "R(W_O2)", rows, colour::orange, 2, 5},
                       {"R(W_K2)", "R(W_K2)", rows, colour::green, 4, 9},
                       {"R(W_K1)", "R(W_K1)", rows, colour::blue, 5, 11}}});
  }
  FigureSpec figure{name, table, "", 17, panels.size() > 1 ? 14.0 : 8.0};
  figure.script = fmt::format("set label 9 {} at screen 0.5,0.975 center noenhanced\n", gnuplot_quote("Order of the memories: " + series.configuration)) +
                  stacked(panels, table, fmt::format("set xrange [0:{}]\n", table.range(table.column("step")).second), evaluations(table) / 10 + 1);
  return figure;
}

FigureSpec figure4(const std::string& name, FigureSeries series) {
  require_quantities(series, {"random triggers", "bigram outputs", "K", "offset", "step"},
                     {"accuracy", "accuracy, uniform outputs", "accuracy, bigram outputs", "KL to the bigram law"});
  FigureTable& table = series.table;
  keep_once(table, 5);
  const std::size_t random = number(table, "random triggers"), bigram = number(table, "bigram outputs"), K = number(table, "K"), offset = number(table, "offset");
  struct Setting {
    double random, bigram, K, offset;
    auto operator<=>(const Setting&) const = default;
  };
  std::set<Setting> settings;
  double most = 0, highest = 0;
  for (const auto& row : table.rows) {
    settings.insert({row[random - 1], row[bigram - 1], row[K - 1], row[offset - 1]});
    most = std::max(most, row[K - 1]);
    highest = std::max(highest, row[table.column("KL to the bigram law")]);
  }
  struct Look {
    const char* colour;
    int dash, point;
  };
  constexpr std::array<Look, 6> looks = {{{colour::black, 1, 7}, {colour::blue, 5, 11}, {colour::vermillion, 2, 5}, {colour::green, 4, 9}, {colour::purple, 3, 13}, {colour::orange, 1, 1}}};
  Panel accuracy{"in-context accuracy", fraction_axis, "triggers, uniform outputs", {}};
  Panel kl{"KL (nats)", fmt::format("set yrange [0:{}]\nset ytics {}\n", 1.05 * highest, tic_step(1.05 * highest, 4)), "KL of W_F to the bigram law", {}};
  Panel crossed{"in-context accuracy", fraction_axis, "law of the outputs in training → in the test", {}};
  for (const Setting& s : settings) {
    const std::string rows = fmt::format("${} == {} && ${} == {} && ${} == {} && ${} == {}", random, s.random, bigram, s.bigram, K, s.K, offset, s.offset);
    const Look look = looks[accuracy.curves.size() % looks.size()];
    if (s.bigram == 0) {
      const std::string title = s.random != 0 ? fmt::format("K={:.0f} random", s.K)
                                : s.offset > 0 ? fmt::format("K={:.0f} fixed, offset {:.0f}", s.K, s.offset)
                                               : fmt::format("K={:.0f} fixed", s.K);
      accuracy.curves.push_back({"accuracy", title, rows, look.colour, look.dash, look.point});
      kl.curves.push_back({"KL to the bigram law", title, rows, look.colour, look.dash, look.point});
    }
    if (s.random == 0 && s.offset == 0 && s.K == most)
      for (const bool uniform : {true, false})
        crossed.curves.push_back({uniform ? "accuracy, uniform outputs" : "accuracy, bigram outputs",
                                  fmt::format("{} → {}", s.bigram != 0 ? "bigram" : "uniform", uniform ? "uniform" : "bigram"), rows,
                                  s.bigram != 0 ? colour::vermillion : colour::blue, uniform ? 1 : 2, uniform ? 7 : 6});
  }
  std::vector<Panel> panels;
  for (Panel& panel : std::array{accuracy, kl, crossed})
    if (!panel.curves.empty()) panels.push_back(std::move(panel));
  FigureSpec figure{name, table, "", 18, 18};
  double first = 0;
  for (const auto& row : table.rows)
    if (const double step = row[table.column("step")]; step > 0 && (first == 0 || step < first)) first = step;
  figure.script = fmt::format("set label 9 {} at screen 0.5,0.975 center noenhanced\n", gnuplot_quote("Global and in-context learning: " + series.configuration)) +
                  stacked(panels, table, fmt::format("set logscale x 10\nset xrange [{}:{}]\n", first > 0 ? first : 1, table.range(table.column("step")).second),
                          evaluations(table) / 10 + 1);
  return figure;
}

}  // namespace popgrad
