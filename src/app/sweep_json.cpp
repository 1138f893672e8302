#include "app/sweep_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format = "popgrad-sweep-1";

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  template <class T>
  Json operator()(const T& x) const {
    return x;
  }
};
Json json_of(const KeyValue& value) { return std::visit(ToJson{}, value); }

Json json_of(const KeyValues& values) {
  Json object = Json::object();
  for (const auto& [key, value] : values) object[key] = json_of(value);
  return object;
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json json_of(const std::optional<double>& x) { return x ? number(*x) : Json(nullptr); }
Json json_of(const Limits& limits) { return {number(limits.low), number(limits.high)}; }
Json json_of(const MeanOverSeeds& m) {
  return {{"n", m.n}, {"mean", number(m.mean)}, {"interval", m.limits ? json_of(*m.limits) : Json(nullptr)}};
}

Json grid_json(const SweepGrid& grid) {
  Json settings = Json::array();
  for (const SweepSetting& s : grid.settings)
    settings.push_back({{"name", s.name},
                        {"variant", s.variant.empty() ? Json(nullptr) : Json(s.variant)},
                        {"varied", json_of(s.varied)},
                        {"options", json_of(s.options)}});
  return {{"varied", grid.varied}, {"seeds", grid.seeds}, {"settings", settings}};
}

Json final_json(const Metrics& final) {
  Json json = {{"step", final.step}, {"loss", final.loss_positions > 0 ? number(final.loss) : Json(nullptr)}};
  for (const NamedProbe& named : probes(final))
    json[named.name] = named.probe->empty() ? Json(nullptr) : number(named.probe->value);
  json["kl"] = final.kl && !final.kl->empty() ? number(final.kl->value) : Json(nullptr);
  return json;
}

Json summary_json(const SweepSetting& setting, const SettingSummary& s) {
  Json final = Json::object(), rise = Json::object();
  for (const FinalSummary& f : s.final) final[f.name] = json_of(f.value);
  for (const RiseSummary& r : s.rise)
    rise[r.name] = {
        {"risen", r.risen}, {"fraction", json_of(r.fraction)}, {"step", json_of(r.step)}, {"median", json_of(r.median)}};
  return {{"setting", setting.name}, {"runs", s.runs},
          {"diverged", s.diverged},  {"diverged_fraction", json_of(s.diverged_fraction)},
          {"final", final},          {"rise", rise}};
}

std::string shown(const Json& value) { return value.is_string() ? "'" + value.get<std::string>() + "'" : value.dump(); }

// The first difference between the grid on disk and the one asked for, as a line; empty if there is none.
std::string difference(const Json& old, const Json& now) {
  if (old.at("seeds") != now.at("seeds")) return "seeds " + old.at("seeds").dump() + ", here " + now.at("seeds").dump();
  const Json &was = old.at("settings"), &is = now.at("settings");
  for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
    const std::string where = "setting '" + is[i].at("name").get<std::string>() + "': ";
    for (const auto& [key, value] : is[i].at("options").items()) {
      const Json& options = was[i].at("options");
      if (!options.contains(key)) return where + key + " unknown, here " + shown(value);
      if (options.at(key) != value) return where + key + " " + shown(options.at(key)) + ", here " + shown(value);
    }
    for (const auto& [key, value] : was[i].at("options").items())
      if (!is[i].at("options").contains(key)) return where + key + " " + shown(value) + ", here unknown";
    if (was[i].at("name") != is[i].at("name"))
      return "setting " + shown(was[i].at("name")) + ", here " + shown(is[i].at("name"));
  }
  if (was.size() != is.size()) return std::to_string(was.size()) + " settings, here " + std::to_string(is.size());
  return "";
}

}  // namespace

const char* name(RunStatus status) {
  return status == RunStatus::pending ? "pending" : status == RunStatus::finished ? "finished" : "diverged";
}

std::string sweep_json(const SweepGrid& grid, const std::vector<RunState>& states, const std::string& program,
                       const std::vector<RunOutcome>& outcomes, const std::vector<SettingSummary>& summaries) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < grid.runs.size(); ++i) {
    Json run = {{"folder", run_folder({}, grid.runs[i]).string()},
                {"setting", grid.settings[grid.runs[i].setting].name},
                {"seed", grid.runs[i].seed},
                {"status", name(states[i].status)},
                {"why", states[i].why.empty() ? Json(nullptr) : Json(states[i].why)}};
    if (!outcomes.empty()) {
      run["final"] = final_json(outcomes[i].final);
      Json rise = Json::object();
      for (std::size_t r = 0; r < rise_names().size(); ++r) rise[rise_names()[r]] = json_of(outcomes[i].rise[r]);
      run["rise"] = rise;
    }
    runs.push_back(run);
  }
  Json root = {{"format", format}, {"program", program}, {"grid", grid_json(grid)}, {"runs", runs}};
  if (!summaries.empty()) {
    Json table = Json::array();
    for (std::size_t i = 0; i < summaries.size(); ++i) table.push_back(summary_json(grid.settings[i], summaries[i]));
    root["level"] = sweep_level;
    root["table"] = table;
  }
  return root.dump(2) + "\n";
}

std::vector<RunState> parse_sweep_states(const std::string& argument, const std::string& text, const SweepGrid& grid) {
  const std::string expected = "a sweep of popgrad";
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object() || !root.contains("format")) throw InputError(argument, "no sweep", expected);
  if (root["format"] != format)
    throw InputError(argument, "format " + root["format"].dump(), std::string("\"") + format + "\"");
  try {
    // Through text, so that numbers are compared as they read.
    const std::string other = difference(root.at("grid"), Json::parse(grid_json(grid).dump()));
    if (!other.empty())
      throw InputError(argument, "the sweep of another grid (" + other + ")", "the same grid, or another folder");
    std::vector<RunState> states;
    for (const Json& run : root.at("runs")) {
      RunState state;
      const std::string status = run.at("status").get<std::string>();
      for (const RunStatus s : {RunStatus::finished, RunStatus::diverged})
        if (status == name(s)) state.status = s;
      if (run.at("why").is_string()) state.why = run.at("why").get<std::string>();
      states.push_back(state);
    }
    if (states.size() != grid.runs.size())
      throw InputError(argument, std::to_string(states.size()) + " runs", std::to_string(grid.runs.size()));
    return states;
  } catch (const Json::exception& problem) {
    throw InputError(argument, "a damaged sweep.json (" + std::string(problem.what()) + ")", expected);
  }
}

}  // namespace popgrad
