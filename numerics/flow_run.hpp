// A flow on disk: a run folder like that of train, without weights of a finite model.
//   config.json     resolved options, format popgrad-flow-1
//   metrics.jsonl   one line an evaluation, in the format of train
//   maps.json       the maps where the flow ended, block by block
//   summary.json    when each probe rose, final values; written when the flow ends
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "numerics/flow.hpp"

namespace popgrad {

struct FlowHooks {
  std::function<void(const Flow&, const Metrics& latest)> progress = [](const Flow&, const Metrics&) {};  // after every step
  const std::atomic<bool>* stop = nullptr;  // set by a signal handler: write what there is and return
  std::string program;                      // recorded in config.json
};

struct FlowResult {
  Metrics final;          // where the flow ended or was stopped
  bool finished = false;
  bool diverged = false;  // an entry overflowed
};

// InputError("out", ...) if the folder cannot be written to or already holds a run; InputError of FlowOptions::validate().
FlowResult run_flow(const FlowOptions& options, const std::filesystem::path& folder, const FlowHooks& hooks = {});

// Whether the run in this folder is a flow, by its config.json; false if that is missing or damaged.
bool is_flow_run(const std::filesystem::path& folder);

// The options as JSON, sections data, flow and freeze.
std::string to_json(const FlowOptions& options, const std::string& program);

}  // namespace popgrad
