#include "app/sweep_summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "numerics/run_folder.hpp"
#include "numerics/run_summary.hpp"

namespace popgrad {
namespace {

// Nothing where nothing was measured.
std::optional<double> final_value(const Metrics& m, const std::string& quantity) {
  std::optional<double> value;
  if (quantity == "loss" && m.loss_positions > 0) value = m.loss;
  if (quantity == "kl" && m.kl && !m.kl->empty()) value = m.kl->value;
  for (const NamedProbe& named : probes(m))
    if (quantity == named.name && !named.probe->empty()) value = named.probe->value;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

SettingSummary summary_of(const std::vector<const RunOutcome*>& outcomes) {
  SettingSummary s;
  s.runs = static_cast<int>(outcomes.size());
  for (const RunOutcome* outcome : outcomes) s.diverged += outcome->diverged ? 1 : 0;
  s.diverged_fraction = fraction_limits(s.diverged, s.runs, sweep_level);
  for (const char* quantity : final_names()) {
    std::vector<double> values;
    for (const RunOutcome* outcome : outcomes)
      if (const auto value = final_value(outcome->final, quantity); value && !outcome->diverged) values.push_back(*value);
    s.final.push_back({quantity, mean_over_seeds(values, sweep_level)});
  }
  for (std::size_t i = 0; i < rise_names().size(); ++i) {
    std::vector<std::optional<double>> times;
    std::vector<double> risen;
    for (const RunOutcome* outcome : outcomes) {
      times.push_back(outcome->rise[i]);
      if (times.back()) risen.push_back(*times.back());
    }
    const auto count = static_cast<int>(risen.size());
    s.rise.push_back({rise_names()[i], count, fraction_limits(count, s.runs, sweep_level),
                      mean_over_seeds(risen, sweep_level), median_time(times)});
  }
  return s;
}

}  // namespace

const std::vector<const char*>& final_names() {
  static const std::vector<const char*> names = {"loss", "accuracy", "wo2", "wk2", "wk1_64", "wk1", "kl"};
  return names;
}

const std::vector<const char*>& rise_names() {
  static const std::vector<const char*> names = {"accuracy", "wo2", "wk2", "wk1_64", "wk1"};
  return names;
}

RunOutcome read_outcome(const std::filesystem::path& folder, RunStatus status) {
  const RunFolder run = RunFolder::open(folder);
  RunOutcome outcome;
  outcome.rise.resize(rise_names().size());
  outcome.diverged = status == RunStatus::diverged;
  const std::string log = run.metrics_text();
  if (outcome.diverged && log.empty()) return outcome;
  const std::string argument = folder.string();
  outcome.final = final_metrics(argument, log);
  const auto rise = nlohmann::json::parse(summarize(argument, log)).at("rise");
  for (std::size_t i = 0; i < rise_names().size(); ++i)
    if (const auto& step = rise.at(rise_names()[i]); step.is_number()) outcome.rise[i] = step.get<double>();
  return outcome;
}

std::vector<SettingSummary> summarize_settings(const SweepGrid& grid, const std::vector<RunOutcome>& outcomes) {
  require(outcomes.size() == grid.runs.size(), "summarize_settings", "outcomes", std::to_string(grid.runs.size()),
          std::to_string(outcomes.size()));
  std::vector<std::vector<const RunOutcome*>> of_setting(grid.settings.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) of_setting[grid.runs[i].setting].push_back(&outcomes[i]);
  std::vector<SettingSummary> summaries;
  for (const auto& list : of_setting) summaries.push_back(summary_of(list));
  return summaries;
}

}  // namespace popgrad
