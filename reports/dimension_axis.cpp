#include "reports/dimension_axis.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "reports/style.hpp"

namespace popgrad {

std::string dimension_axis(const FigureSeries& series) {
  const std::size_t d = series.table.column("d");
  for (const auto& row : series.table.rows)
    if (!(row[d] > 0)) throw InputError("results", fmt::format("d = {} in figure '{}'", row[d], series.figure), "d > 0");
  const auto [low, high] = series.table.range(d);
  // Powers of two are the tics of a base of 2; one dimension alone, or two close ones, may lie between them.
  const std::string tics = high >= 4 * low    ? ""
                           : high > 1.2 * low ? fmt::format("set xtics ({}, {})\n", low, high)
                                              : fmt::format("set xtics ({})\n", low);
  return fmt::format("set logscale x 2\nset xrange [{}:{}]\n{}", low / 1.25, high * 1.25, tics);
}

std::string measured_style() {
  return fmt::format("with yerrorbars pointtype 7 pointsize 0.7 linewidth 1.5 linecolor rgb '{}'", colour::vermillion);
}

}  // namespace popgrad
