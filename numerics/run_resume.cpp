// How a run that was stopped, killed or finished is made ready to go on.
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_files.hpp"
#include "numerics/run_folder.hpp"
#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

// The first key but train.steps in which two configurations differ.
std::optional<std::pair<std::string, std::string>> difference(const ResolvedKeys& ours, const ResolvedKeys& theirs) {
  for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
    if (i >= ours.size() || i >= theirs.size() || ours[i].first != theirs[i].first)
      return i < theirs.size() ? theirs[i] : std::pair{ours[i].first, std::string("nothing")};
    if (ours[i].first != "train.steps" && ours[i].second != theirs[i].second) return theirs[i];
  }
  return std::nullopt;
}

// Step of a line of metrics; nothing if the line is cut (a crash while it was written).
std::optional<std::int64_t> step_of(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer()) return std::nullopt;
  return json["step"].get<std::int64_t>();
}

}  // namespace

void RunFolder::prepare_resume(const TrainOptions& options) {
  if (const auto other = difference(resolved_keys(options_), resolved_keys(options)))
    throw InputError(other->first, other->second, "the value of the run in '" + path_.string() + "'; only train.steps may grow");
  const std::int64_t done = latest().step;
  if (options.steps < done)
    throw InputError("train.steps", std::to_string(options.steps),
                     "at least the " + std::to_string(done) + " steps already done");
  options_ = options;
  // Before the records are cut to it: a resume that is killed in between is then a resume of the longer run.
  write_file_atomically(file(config_name), to_toml(options_, program_));
  fit_records(done);
}

void RunFolder::fit_records(std::int64_t done) {
  std::string kept;
  std::int64_t lines = 0;
  std::istringstream in(metrics_text());
  const std::int64_t every = options_.eval_every, steps = options_.steps;
  for (std::string line; std::getline(in, line);) {
    const auto step = step_of(line);
    if (!step || *step > done || done == 0) break;  // step 0 is saved before it is evaluated, and evaluated again
    if (*step % every != 0 && *step != steps) continue;
    kept += line + "\n";
    ++lines;
  }
  const std::int64_t due = done == 0 ? 0 : done / every + 1 + (done == steps && done % every != 0 ? 1 : 0);
  if (lines != due)
    throw InputError(file(metrics_name).string(), std::to_string(lines) + " evaluations up to step " + std::to_string(done),
                     std::to_string(due) + " of them");
  write_file_atomically(file(metrics_name), kept);
  std::error_code ignored;
  const std::int64_t snapshot = options_.snapshot_every;
  for (const std::int64_t step : snapshots())
    if (snapshot == 0 || step > done || (step % snapshot != 0 && step != steps)) fs::remove(snapshot_file(step), ignored);
  fs::remove(file(summary_name), ignored);  // it described the shorter run
  remove_unfinished(path_);
  remove_unfinished(file(snapshots_name));
}

}  // namespace popgrad
