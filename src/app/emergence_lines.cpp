#include <algorithm>
#include <map>
#include <tuple>

#include "app/emergence_output.hpp"
#include "check/power_law_series.hpp"

namespace popgrad {

std::string without_text(const std::string& word) {
  static const std::map<std::string, std::string> texts = {{"nothing", "nothing left out"},     {"wk1", "W_K1 at zero"},
                                                           {"value_block", "without (U,R)"},    {"value", "without value path"},
                                                           {"key", "without key path"},         {"query", "without query path"},
                                                           {"guess", "p_hat = 1/N"}};
  const auto found = texts.find(word);
  return found == texts.end() ? word : found->second;
}

std::vector<EmergenceLine> emergence_lines(const std::vector<Emergence>& all) {
  std::vector<EmergenceLine> lines;
  for (const bool over_T : {true, false})
    for (const Emergence& point : all) {
      if (!point.emergence.reached) continue;
      const int fixed = over_T ? point.request.task.N : point.request.task.T;
      auto line = std::find_if(lines.begin(), lines.end(), [&](const EmergenceLine& l) {
        return std::tie(l.over_T, l.fixed, l.without) == std::tie(over_T, fixed, point.request.without);
      });
      if (line == lines.end()) line = lines.insert(lines.end(), {over_T, fixed, point.request.without, {}, {}});
      line->points.push_back(&point);
    }
  std::erase_if(lines, [](const EmergenceLine& line) { return line.points.size() < 2; });
  for (EmergenceLine& line : lines) {
    std::sort(line.points.begin(), line.points.end(), [&](const Emergence* a, const Emergence* b) { return line.size(*a) < line.size(*b); });
    if (line.points.size() < 4) continue;
    std::vector<double> x, y, error;
    for (const Emergence* point : line.points) {
      x.push_back(line.size(*point));
      y.push_back(point->emergence.value);
      error.push_back(point->emergence.error);
    }
    line.law = fit_power_law(x, y, error);
  }
  return lines;
}

std::vector<FigureSeries> emergence_series(const std::vector<EmergenceLine>& lines) {
  std::vector<FigureSeries> figures;
  for (const bool over_T : {true, false}) {
    std::map<int, std::vector<PowerCurve>> curves;
    for (const EmergenceLine& line : lines) {
      if (line.over_T != over_T) continue;
      PowerCurve curve{without_text(line.without), {}, {}, {}, line.law};
      for (const Emergence* point : line.points) {
        curve.x.push_back(line.size(*point));
        curve.y.push_back(point->emergence.value);
        curve.error.push_back(point->emergence.error);
      }
      curves[line.fixed].push_back(std::move(curve));
    }
    for (const auto& [fixed, of] : curves) {
      Series series = power_law_series(over_T ? "emergence_T" : "emergence_N", over_T ? "T" : "N", of);
      figures.push_back({series.figure, "", (over_T ? "N=" : "T=") + std::to_string(fixed), {series.columns, series.rows}});
    }
  }
  return figures;
}

}  // namespace popgrad
