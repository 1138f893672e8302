#include "reports/attention_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

constexpr double page = 18, panel = 6.9, left = 1.3, gap = 1.0, above = 1.9, between = 1.5, below = 3.4;
constexpr const char* masked = "#E4E4E4";

void require_sizes(const AttentionMaps& maps) {
  const std::size_t L = maps.names.size();
  bool square = L >= 1 && maps.tokens.size() == L && maps.triggers.size() == L;
  for (const auto& layer : maps.weights)
    for (const auto& matrix : layer)
      square = square && matrix.size() == L && std::ranges::all_of(matrix, [&](const auto& row) { return row.size() == L; });
  require(square, "attention_maps_figure", "maps", "matrices of L x L and L tokens, L >= 1", "other sizes");
}

FigureTable table_of(const AttentionMaps& maps) {
  FigureTable table;
  table.columns = {"layer",     "step (updates)",     "query position",   "key position",     "query token",
                   "key token", "query is a trigger", "key is a trigger", "key to copy from", "attention"};
  const auto flag = [](bool x) { return x ? 1.0 : 0.0; };
  for (int layer = 0; layer < 2; ++layer)
    for (int after = 0; after < 2; ++after)
      for (std::size_t t = 0; t < maps.names.size(); ++t)
        for (std::size_t s = 0; s < maps.names.size(); ++s) {
          const std::pair place(static_cast<int>(t), static_cast<int>(s));
          table.rows.push_back({layer + 1.0, static_cast<double>(after == 0 ? maps.first_step : maps.last_step),
                                static_cast<double>(t + 1), static_cast<double>(s + 1), static_cast<double>(maps.tokens[t]),
                                static_cast<double>(maps.tokens[s]), flag(maps.triggers[t]), flag(maps.triggers[s]),
                                flag(std::ranges::find(maps.copies, place) != maps.copies.end()),
                                s <= t ? maps.weights[layer][after][t][s] : NAN});  // no weight where the mask is
        }
  return table;
}

// gnuplot takes no single-quoted label that begins with an apostrophe.
std::string double_quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "\"";
}

// Characters along both axes; triggers coloured.
std::string axis_labels(const AttentionMaps& maps) {
  std::string text = "unset label\n";
  for (std::size_t i = 0; i < maps.names.size(); ++i) {
    const std::string look =
        fmt::format("noenhanced font ',7.5' textcolor rgb '{}'", maps.triggers[i] ? colour::vermillion : "#404040");
    text +=
        fmt::format("set label {} at first {}, graph 1 center offset 0,0.45 {}\n", double_quote(maps.names[i]), i + 1, look);
    text +=
        fmt::format("set label {} at graph 0, first {} right offset -0.6,0 {}\n", double_quote(maps.names[i]), i + 1, look);
  }
  return text;
}

std::string squares(const AttentionMaps& maps) {
  std::string text = "unset object\n";
  for (const auto& [query, key] : maps.copies)
    text += fmt::format("set object rectangle center {}, {} size 1, 1 front fillstyle empty border rgb '{}' linewidth 1.6\n",
                        key + 1, query + 1, colour::vermillion);
  return text;
}

std::string note(const std::string& text, double y) {
  return fmt::format("set label {} noenhanced at screen 0.5, screen {} center font ',9' textcolor rgb '#404040'\n",
                     gnuplot_quote(text), y);
}

}  // namespace

FigureSpec attention_maps_figure(const std::string& name, const std::string& title, const AttentionMaps& maps) {
  require_sizes(maps);
  FigureSpec figure{name, table_of(maps), "", page, above + 2 * panel + between + below};
  const double height = figure.height_cm, L = static_cast<double>(maps.names.size());
  const std::size_t per_panel = maps.names.size() * maps.names.size();
  std::string script = fmt::format(
      "set multiplot\n"
      "unset key\nunset grid\nset border 15 linecolor rgb '{}'\nset xrange [0.5:{}]\nset yrange [{}:0.5]\nset format x "
      "''\nset format y ''\n"
      "unset xtics\nunset ytics\n"
      "set palette defined (0 '#FFFFFF', 0.35 '#A6C8E4', 0.7 '{}', 1 '#002B4A')\n",
      colour::grey, L + 0.5, L + 0.5, colour::blue);
  for (int layer = 0; layer < 2; ++layer) {
    double largest = 0;
    for (const auto& matrix : maps.weights[layer])
      for (std::size_t t = 0; t < matrix.size(); ++t)
        for (std::size_t s = 0; s <= t; ++s) largest = std::max(largest, matrix[t][s]);
    for (int after = 0; after < 2; ++after) {
      const double x = (left + layer * (panel + gap + left)) / page;
      const double top = 1 - (above + after * (panel + between)) / height;
      const std::size_t first = static_cast<std::size_t>(2 * layer + after) * per_panel;
      script += fmt::format(
          "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n", x,
          x + panel / page, top, top - panel / height);
      script += axis_labels(maps) + (layer == 1 ? squares(maps) : std::string("unset object\n"));
      if (layer == 0 && after == 0)
        script += fmt::format("set label {} noenhanced at screen 0.5, screen {} center\n", gnuplot_quote(title),
                              1 - 0.5 / height) +
                  note("Triggers are coloured, queries downwards, keys to the right, what the mask hides is grey.",
                       0.75 / height) +
                  note(
                      "Squares: keys right after an earlier occurrence of a repeated trigger, from which a head copies its "
                      "output.",
                      0.3 / height);
      // Grey below everything: what the mask hides.
      script += fmt::format(
          "set object 500 rectangle from graph 0, graph 0 to graph 1, graph 1 behind fillcolor rgb '{}' fillstyle solid "
          "noborder\n",
          masked);
      script += fmt::format("set title 'layer {}, {}' noenhanced offset 0,0.3\n", layer + 1,
                            after == 0 ? fmt::format("before training (step {})", maps.first_step)
                                       : fmt::format("after step {}", maps.last_step));
      script += fmt::format("set cbrange [0:{0}]\n", largest > 0 ? largest : 1);
      if (after == 1)
        script += fmt::format(
            "set colorbox horizontal user origin {}, {} size {}, {}\nset cbtics 0,{},1 offset 0,0.3\nset cblabel "
            "'attention, layer {}' offset 0,0.6\n",
            x, 2.45 / height, panel / page, 0.3 / height, tic_step(largest > 0 ? largest : 1, 5), layer + 1);
      else
        script += "unset colorbox\n";
      script += fmt::format(
          "plot DATA using 4:3:(0.5):(0.5):10 skip 1 every ::{}::{} with boxxyerror fillstyle solid noborder linecolor "
          "palette\n",
          first, first + per_panel - 1);
    }
  }
  figure.script = script + "unset multiplot\n";
  return figure;
}

}  // namespace popgrad
