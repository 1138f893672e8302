#include "reports/style.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr double font_points = 11;
constexpr double pixels_per_cm = 96 / 2.54;  // CSS pixels, the unit of the svg terminal
constexpr double pixels_per_point = 96.0 / 72.0;

}  // namespace

const char* extension(FigureFormat format) { return format == FigureFormat::svg ? "svg" : "pdf"; }

std::string terminal(FigureFormat format, double width_cm, double height_cm) {
  if (format == FigureFormat::svg)
    return fmt::format("set terminal svg enhanced size {:.0f},{:.0f} font 'sans-serif,{:.1f}' background '#FFFFFF'\n",
                       width_cm * pixels_per_cm, height_cm * pixels_per_cm, font_points * pixels_per_point);
  // The terminal counts points at 96 to the inch and halves them by default; 72/96 gives true points.
  return fmt::format("set terminal pdfcairo enhanced color size {:.2f}cm,{:.2f}cm font 'Sans,{:.0f}' fontscale 0.75\n",
                     width_cm, height_cm, font_points);
}

std::string common_style() {
  return "set encoding utf8\n"
         "set datafile separator \"\\t\"\n"
         "set datafile missing 'NaN'\n"
         "set border 3 linecolor rgb '#404040'\n"
         "set tics nomirror scale 0.5\n"
         "set grid linetype 1 linewidth 0.5 linecolor rgb '#E0E0E0'\n"
         "set key noenhanced samplen 3 spacing 1.1\n"
         "set bars 0.6\n";
}

double tic_step(double range, int most) {
  require(range > 0 && std::isfinite(range) && most >= 1, "tic_step", "range, most", "positive",
          fmt::format("{}, {}", range, most));
  for (double decade = std::pow(10, std::floor(std::log10(range / most)));; decade *= 10)
    for (const double digit : {1, 2, 5})
      if (range <= digit * decade * most) return digit * decade;
}

}  // namespace popgrad
