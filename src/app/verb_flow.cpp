#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "app/common_options.hpp"
#include "app/config_keys.hpp"
#include "app/draw_figures.hpp"
#include "app/interrupt.hpp"
#include "app/metrics_table.hpp"
#include "app/option_names.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/revision.hpp"
#include "numerics/flow_run.hpp"

namespace popgrad {
namespace {

FlowOptions flow_options(const Config& config) {
  FlowOptions options = config.flow;
  options.task = {config.N.value_or(options.task.N), config.T.value_or(options.task.T),
                  config.background.value_or(options.task.background), config.query.value_or(options.task.query), {}};
  options.freeze = config.train.freeze;
  return options;
}

ExitCode run_verb(const CommonOptions& common) {
  if (common.keys) {
    print(keys_table("flow"));
    return ExitCode::ok;
  }
  if (common.out.empty()) throw InputError("--out", "nothing", "a folder for the run");
  return with_config_keys([&] {
    const FlowOptions options = flow_options(common.load());
    FlowHooks hooks;
    hooks.program = std::string("popgrad ") + version() + " (" + git_revision() + ")";
    hooks.stop = &catch_interrupts();
    FlowResult result;
    {
      ProgressBar bar("step", options.steps, common.quiet);
      hooks.progress = [&](const Flow& flow, const Metrics& latest) {
        if (bar.active()) bar.show(flow.step(), metrics_line_for_bar(latest));
      };
      result = run_flow(options, common.out, hooks);
    }
    if (!common.quiet) print(population_table(result.final));
    print(fmt::format("wrote the flow to {}\n", common.out));
    if (!result.finished) {
      print(fmt::format("stopped after step {} of {}; a flow starts anew in another folder\n", result.final.step, options.steps));
      return interrupted_exit_code();
    }
    if (!common.no_figures) print(draw_figures(common.out, common.out));
    const double uniform = std::log(options.task.N);
    if (result.diverged || !(result.final.loss <= 10 * uniform))
      throw Error(ExitCode::refuted, fmt::format("diverged: the population loss is {:.4g} nats, ten times what the uniform prediction "
                                                 "costs is {:.4g}; smaller flow.rate_* may help",
                                                 result.final.loss, 10 * uniform));
    if (result.final.loss > uniform)
      print(fmt::format("note: worse than uniform: the population loss is {:.5g} nats, the uniform prediction costs {:.5g}\n",
                        result.final.loss, uniform));
    return ExitCode::ok;
  });
}

}  // namespace

void add_flow(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("flow", "population gradient descent of the minimal task on the ideal model, without noise");
  const auto options = std::make_shared<CommonOptions>();
  add_config_options(*verb, *options);
  add_out_option(*verb, *options, "folder for the run: options, metrics.jsonl, final maps, figure");
  add_output_options(*verb, *options, "no table of probes and no progress bar: where the run was written");
  verb->footer(
      std::string(probes_legend()) +
      "\nThe flow starts at zero; N = 4, T = 6, avoid, last unless set. freeze.* stages the maps, flow.blocks = isolated lets only\n"
      "(U,E), (E,R) and (P,P) move, flow.without leaves one path out of the gradient. popgrad flow --keys lists everything.\n"
      "Exit code: 0 done, 1 diverged (a loss above 10 log N nats, or not finite), 2 bad usage or input, 5 the environment failed,\n"
      "130 interrupted.");
  verb->callback([options, &action] { action = [options] { return run_verb(*options); }; });
}

}  // namespace popgrad
