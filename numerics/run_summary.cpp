#include "numerics/run_summary.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/errors.hpp"
#include "numerics/metrics.hpp"

namespace popgrad {
namespace {

using nlohmann::ordered_json;

Evaluated evaluated(std::int64_t step, const ordered_json& probe) {
  if (!probe.is_object()) return {step, 0, 0, true};
  return {step, probe.value("value", 0.0), probe.value("chance", 0.0), false};
}

}  // namespace

std::optional<std::int64_t> rise(const std::vector<Evaluated>& evaluations) {
  int above = 0;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    const Evaluated& now = evaluations[i];
    above = !now.empty && now.value > (1 + now.chance) / 2 ? above + 1 : 0;
    if (above == 3) return evaluations[i - 2].step;
  }
  return std::nullopt;
}

std::string summarize(const std::string& argument, const std::string& metrics) {
  std::vector<ordered_json> lines;
  std::istringstream in(metrics);
  for (std::string text; std::getline(in, text);) {
    lines.push_back(ordered_json::parse(text, nullptr, false));
    if (!lines.back().is_object() || !lines.back().contains("step") || !lines.back()["step"].is_number_integer())
      throw InputError(argument, "line " + std::to_string(lines.size()) + " that is not an evaluation", "a metrics.jsonl");
  }
  if (lines.empty()) throw InputError(argument, "no line", "at least one evaluation");
  ordered_json rises = ordered_json::object();
  for (const NamedProbe& named : probes(Metrics{})) {
    std::vector<Evaluated> evaluations;
    for (const ordered_json& line : lines)
      evaluations.push_back(
          evaluated(line["step"].get<std::int64_t>(), line.contains(named.name) ? line[named.name] : ordered_json(nullptr)));
    const auto step = rise(evaluations);
    rises[named.name] = step ? ordered_json(*step) : ordered_json(nullptr);
  }
  const ordered_json summary = {
      {"steps", lines.back()["step"]},
      {"rises", "first of three consecutive evaluations above (1 + chance)/2; null if that did not happen"},
      {"rise", rises},
      {"final", lines.back()}};
  return summary.dump(2) + "\n";
}

}  // namespace popgrad
