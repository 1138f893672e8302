#include "numerics/flow_run.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_files.hpp"
#include "numerics/run_summary.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

constexpr const char* flow_format = "popgrad-flow-1";

// {"diag", "off"} for a token-token block, else {"entries"}: one number a position, or one row a query position.
ordered_json to_json(const InvariantBlock<double>& block, bool token_query, bool token_key, int T) {
  if (token_query && token_key) return {{"diag", block.diag}, {"off", block.off}};
  if (token_query || token_key) return {{"entries", block.entries}};
  ordered_json rows = ordered_json::array();
  for (int t = 0; t < T; ++t)
    rows.push_back(std::vector<double>(block.entries.begin() + t * T, block.entries.begin() + (t + 1) * T));
  return {{"entries", rows}};
}

std::string maps_text(const InvariantMaps<double>& maps, std::int64_t step) {
  ordered_json json = {{"format", "popgrad-maps-1"}, {"step", step}, {"N", maps.N}, {"T", maps.T}};
  const auto key_of = [](Block query, Block key) { return std::string(name(query)) + "," + name(key); };
  for (const Block key : all_blocks) json["wo2"][std::string("U,") + name(key)] = to_json(maps.u(key), true, is_token(key), maps.T);
  for (const Block query : all_blocks)
    for (const Block key : all_blocks)
      json["wk2"][key_of(query, key)] = to_json(maps.k2(query, key), is_token(query), is_token(key), maps.T);
  for (const Block query : {Block::E, Block::P})
    for (const Block key : {Block::E, Block::P})
      json["wk1"][key_of(query, key)] = to_json(maps.k1(query, key), is_token(query), is_token(key), maps.T);
  return json.dump() + "\n";
}

void append(const fs::path& file, const Metrics& metrics) {
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out << metrics_line(metrics) << "\n";
  out.close();
  if (!out) throw EnvironmentError("cannot write " + file.string() + ": disk full or permission denied");
}

}  // namespace

std::string to_json(const FlowOptions& options, const std::string& program) {
  ordered_json json = {{"format", flow_format}, {"program", program}};
  const MinimalTask& task = options.task;
  json["data"] = {{"vocab", task.N}, {"length", task.T}, {"background", name(task.background)}, {"query", name(task.query)}};
  json["flow"] = {{"blocks", name(options.blocks)},
                  {"without", options.without},
                  {"steps", options.steps},
                  {"rate_wo2", options.rate_wo2.value_or(options.rate)},
                  {"rate_wk2", options.rate_wk2.value_or(options.rate)},
                  {"rate_wk1", options.rate_wk1.value_or(options.rate)},
                  {"momentum", options.momentum},
                  {"eval_every", options.eval_every}};
  json["freeze"] = {{"wo2", options.freeze.wo2}, {"wk2", options.freeze.wk2}, {"wk1", options.freeze.wk1}};
  return json.dump(2) + "\n";
}

FlowResult run_flow(const FlowOptions& options, const fs::path& folder, const FlowHooks& hooks) {
  Flow flow(options);
  std::error_code ignored;
  if (fs::exists(folder / "config.json", ignored) || fs::exists(folder / config_name, ignored))  // a flow, or a training run
    throw InputError("out", "'" + folder.string() + "', which already holds a run", "another folder");
  require_writable_folder("out", folder);
  const fs::path log = folder / "metrics.jsonl";
  write_file_atomically(log, "");
  write_file_atomically(folder / "config.json", to_json(options, hooks.program));
  Metrics latest = flow.measure();
  append(log, latest);
  const auto stopped = [&] { return hooks.stop != nullptr && hooks.stop->load(); };
  while (!flow.finished() && !stopped()) {
    flow.update();
    if (flow.evaluation_due()) {
      latest = flow.measure();
      append(log, latest);
    }
    hooks.progress(flow, latest);
  }
  if (latest.step != flow.step()) {  // stopped in between: the log and the maps end at the same step
    latest = flow.measure();
    append(log, latest);
  }
  write_file_atomically(folder / "maps.json", maps_text(flow.maps(), flow.step()));
  write_file_atomically(folder / "summary.json", summarize(log.string(), read_file("out", log)));
  return {latest, flow.finished(), !flow.finite()};
}

bool is_flow_run(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "config.json", ignored)) return false;
  const auto json = nlohmann::json::parse(read_file("run", folder / "config.json"), nullptr, false);
  return json.is_object() && json.value("format", "") == flow_format;
}

}  // namespace popgrad
