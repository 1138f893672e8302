#include <fmt/format.h>

#include <cmath>

#include "app/emergence_output.hpp"

namespace popgrad {
namespace {

// Two digits of the error, and the value to the same place.
std::string with_error(double value, double error) {
  if (!(error > 0)) return fmt::format("{:.6g} +- {:.1g}", value, error);
  const int places = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return fmt::format("{0:.{2}f} +- {1:.{2}f}", value, error, places);
}

std::string sizes_text(const EmergenceLine& line) {
  std::string text;
  for (const Emergence* point : line.points) text += (text.empty() ? "" : ", ") + std::to_string(line.size(*point));
  return text;
}

}  // namespace

std::string emergence_table(const std::vector<Emergence>& all) {
  std::string text = fmt::format("  {:>5} {:>3}  {:<19} {:>22}  {:>9} {:>13}  {}\n", "N", "T", "left out", "emergence", "1st order", "t90",
                                 "where the smallest rate stopped");
  for (const Emergence& e : all) {
    const Crossing &fine = e.runs.back(), &coarse = e.runs[e.runs.size() - 2];
    const std::string time = e.emergence.reached ? with_error(e.emergence.value, e.emergence.error) : "never";
    // Euler's first order alone: what halving the smallest rate once more would change by half of.
    const std::string order = e.emergence.reached ? fmt::format("{:+.2g}", coarse.emergence - fine.emergence) : "";
    const std::string t90 = e.t90.reached ? fmt::format("{:g} +- {:g}", e.t90.value, e.t90.error) : "never";
    text += fmt::format("  {:>5} {:>3}  {:<19} {:>22}  {:>9} {:>13}  loss {:.4f}, accuracy {:.4f} at time {:g}\n", e.request.task.N,
                        e.request.task.T, without_text(e.request.without), time, order, t90, fine.loss, fine.accuracy,
                        static_cast<double>(fine.updates) * e.rate.back());
  }
  return text;
}

std::string exponent_text(const std::vector<EmergenceLine>& lines) {
  std::string text;
  for (const EmergenceLine& line : lines) {
    const char* x = line.over_T ? "T" : "N";
    text += fmt::format("emergence over {} = {} at {} = {}, {}\n", x, sizes_text(line), line.over_T ? "N" : "T", line.fixed,
                        without_text(line.without));
    if (!line.law) {
      text += "  no exponent: fewer than four sizes emerged\n";
      continue;
    }
    const PowerLaw& law = *line.law;
    text += "  local exponents:";
    for (std::size_t i = 0; i < law.local.size(); ++i)
      text += fmt::format("{} {}..{} {}", i == 0 ? "" : ",", line.size(*line.points[i]), line.size(*line.points[i + 1]),
                          with_error(law.local[i].value, law.local[i].error));
    text += fmt::format("\n  pure power {}^p: p = {} (error of the times alone)\n", x, with_error(law.pure.value, law.pure.error));
    text += fmt::format(
        "  with a term b/{0}: p = {1:.3f} +- {2:.2g} (times) +- {3:.2g} (model: {4:.2g} without the smallest {0}, {5:.2g} with a term c/{0}^2)\n"
        "  the exponent for large {0}, as far as these sizes tell: {6:.2f} to {7:.2f}\n",
        x, law.next.value, law.next.error, law.truncation(), law.without_smallest, law.with_square, law.low(), law.high());
  }
  return text;
}

}  // namespace popgrad
