#include "numerics/run_summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using nlohmann::ordered_json;

Evaluated evaluated(std::int64_t step, const ordered_json& probe) {
  if (!probe.is_object()) return {step, 0, 0, true};
  return {step, probe.value("value", 0.0), probe.value("chance", 0.0), false};
}

std::vector<ordered_json> evaluations_of(const std::string& argument, const std::string& metrics) {
  std::vector<ordered_json> lines;
  std::istringstream in(metrics);
  for (std::string text; std::getline(in, text);) {
    lines.push_back(ordered_json::parse(text, nullptr, false));
    if (!lines.back().is_object() || !lines.back().contains("step") || !lines.back()["step"].is_number_integer())
      throw InputError(argument, "line " + std::to_string(lines.size()) + " that is not an evaluation", "a metrics.jsonl");
  }
  if (lines.empty()) throw InputError(argument, "no line", "at least one evaluation");
  return lines;
}

// JSON has no number that is not finite: null.
double number(const ordered_json& value) { return value.is_null() ? std::nan("") : value.get<double>(); }

Probe probe_of(const ordered_json& line, const char* name) {
  if (!line.contains(name) || line.at(name).is_null()) return {};
  const ordered_json& json = line.at(name);
  return {number(json.at("value")), number(json.at("chance")), number(json.at("margin")), json.at("ties").get<int>(),
          json.at("rows").get<int>()};
}

Metrics metrics_of(const ordered_json& line) {
  Metrics m;
  m.step = line.at("step").get<std::int64_t>();
  m.loss_positions = line.at("loss_positions").get<std::int64_t>();
  if (m.loss_positions > 0) m.loss = number(line.at("loss"));
  m.accuracy = probe_of(line, "accuracy");
  m.wo2 = probe_of(line, "wo2");
  m.wk2 = probe_of(line, "wk2");
  m.wk1_64 = probe_of(line, "wk1_64");
  m.wk1 = probe_of(line, "wk1");
  m.wk1_64_unmasked = probe_of(line, "wk1_64_unmasked");
  m.wk1_unmasked = probe_of(line, "wk1_unmasked");
  if (line.contains("kl")) m.kl = probe_of(line, "kl");
  const ordered_json& stream = line.at("stream");
  m.stream.sequences = stream.at("sequences").get<std::int64_t>();
  m.stream.loss_positions = stream.at("loss_positions").get<std::int64_t>();
  m.stream.cycles = std::llround(stream.at("cycle_fraction").get<double>() * static_cast<double>(m.stream.sequences));
  m.stream.empty_batches = stream.at("empty_batches").get<std::int64_t>();
  return m;
}

std::vector<Metrics> all_metrics(const std::string& argument, const std::string& text) {
  std::vector<Metrics> all;
  for (const ordered_json& line : evaluations_of(argument, text.substr(0, text.rfind('\n') + 1))) {
    try {
      all.push_back(metrics_of(line));
    } catch (const ordered_json::exception& problem) {
      throw InputError(argument, "line " + std::to_string(all.size() + 1) + " (" + problem.what() + ")", "a metrics.jsonl");
    }
  }
  return all;
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
  const std::vector<ordered_json> lines = evaluations_of(argument, metrics);
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

Metrics final_metrics(const std::string& argument, const std::string& metrics) {
  return all_metrics(argument, metrics).back();
}

std::optional<std::int64_t> diverged(const std::string& argument, const std::string& metrics, int N) {
  std::optional<std::int64_t> since;
  for (const Metrics& m : all_metrics(argument, metrics)) {
    const bool beyond = m.loss_positions > 0 && !(m.loss <= 10 * std::log(N));
    if (!beyond)
      since.reset();
    else if (!since)
      since = m.step;
  }
  return since;
}

}  // namespace popgrad
