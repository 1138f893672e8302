#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>

#include "app/common_options.hpp"
#include "app/config_keys.hpp"
#include "app/config_parse.hpp"
#include "app/gradient_cost.hpp"
#include "app/output_folder.hpp"
#include "app/progress.hpp"
#include "app/steps_output.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/atomic_file.hpp"
#include "reports/step_sizes.hpp"

namespace popgrad {
namespace {

struct Options {
  CommonOptions common;
  StepsWords words{"", "", "0.3,1,3,10", "0.1:1000:9", "0.1:1000:9", "", "", ""};
  std::string background, query;
  bool absolute = false, json = false;
};

StepsRequest request_of(const Options& options) {
  CommonOptions common = options.common;
  common.put_task(options.background, options.query);
  const Config config = common.load();
  StepsRequest request;
  request.task.N = config.N.value_or(request.task.N);
  request.task.T = config.T.value_or(request.task.T);
  request.task.background = config.background.value_or(request.task.background);
  request.task.query = config.query.value_or(request.task.query);
  request.absolute = options.absolute;
  request.construction.seed = config.seed;
  request.construction.samples = 4000;
  request.construction.gradient_samples = 8000;
  read_words(options.words, request);
  return request;
}

StepsResult compute(StepsRequest& request, bool quiet) {
  const Construction construction(request.task, request.handoff, request.blocks, request.construction);
  if (!request.absolute) request.axes.unit = construction.unit_sizes();
  if (!std::isfinite(request.axes.unit.second))
    throw InputError("-N, -T", request.task.describe() + " (the second step has no signal, hence no unit)", "--absolute, or other sizes");
  StepsResult result;
  result.chance = 1.0 / request.task.N;
  // One-hot first attention to the last digit; e^b far above T.
  const Construction memories(request.task, Handoff::ideal, Blocks::isolated, request.construction);
  result.perfect = memories.answer(memories.after_steps({1, 12 + std::log(request.task.T), 80})[3]);
  result.threshold = request.threshold.value_or((result.chance + result.perfect.accuracy) / 2);
  ProgressBar bar("pair", static_cast<std::int64_t>(request.axes.first.size() * request.axes.second.size()), quiet);
  const std::string about = "of about " + readable_time(steps_seconds(request));
  result.map = map_steps(construction, request.axes, [&](std::size_t done, std::size_t) {
    bar.show(static_cast<std::int64_t>(done), about);
  });
  result.replicates = 4;
  result.best = construction.answers(result.map.sizes(result.map.best()), result.replicates, 1);
  return result;
}

ExitCode run_steps(const Options& options) {
  if (options.common.keys) {
    print(keys_table("steps"));
    return ExitCode::ok;
  }
  StepsRequest request = request_of(options);
  std::optional<OutputFolder> out;
  if (!options.common.out.empty()) out.emplace("--out", options.common.out);
  const StepsResult result = compute(request, options.common.quiet || options.json);
  print(options.json ? steps_json(request, result) : steps_table(request, result, terminal_style()));
  if (!out) return ExitCode::ok;
  write_file_atomically(out->path() / "steps.json", steps_json(request, result));
  std::string text = "wrote " + (out->path() / "steps.json").string() + "\n";
  FigureSpec figure = step_sizes_figure("step_sizes", steps_series(request, result));
  if (options.common.no_figures) figure.script.clear();
  const FigureOutcome outcome = draw(figure, out->path());
  out->keep();
  for (const auto& file : outcome.files) text += "wrote " + file.string() + "\n";
  if (!outcome.drawn && !options.common.no_figures) text += "figure not drawn: " + outcome.reason + "\n";
  if (!options.json && !options.common.quiet) print(text);
  return ExitCode::ok;
}

}  // namespace

void add_steps(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("steps", "accuracy after each of the three steps, as a map over step sizes");
  const auto options = std::make_shared<Options>();
  StepsWords& words = options->words;
  const auto word = [&](const char* name, std::string& into, const char* values, const char* meaning) {
    verb->add_option(name, into, meaning)->type_name(values);
  };
  word("--handoff", words.handoff, "ideal|actual", "the memories themselves, or gradient steps; default actual");
  word("--blocks", words.blocks, "isolated|full", "which blocks of a gradient step are taken; default isolated");
  word("--background", options->background, "any|avoid", "data.background; default avoid");
  word("--query", options->query, "last|any", "data.query; default last");
  word("--eta1", words.eta1, "SIZES", "FROM:TO:COUNT in equal ratios, or a list; default 0.3,1,3,10");
  word("--eta2", words.eta2, "SIZES", "default 0.1:1000:9");
  word("--eta3", words.eta3, "SIZES", "default 0.1:1000:9");
  verb->add_flag("--absolute", options->absolute, "sizes are step sizes, not multiples of their units");
  word("--samples", words.samples, "n", "sequences for each accuracy where T > 9; default 4000");
  word("--gradient-samples", words.gradient_samples, "n", "sequences for each gradient of stages 2 and 3 where T > 9; default 8000");
  word("--threshold", words.threshold, "x", "accuracy that counts as success; default halfway from 1/N to the hand-built head");
  verb->add_flag("--json", options->json, "as JSON (docs/formats.md)");
  add_out_option(*verb, options->common, "write steps.json and the figure step_sizes (SVG, PDF, TSV) into this folder");
  add_output_options(*verb, options->common, "no progress bar, and no list of the files written");
  add_config_options(*verb, options->common);
  verb->footer(
      "Without -N and -T: N = 16, T = 24. Up to T = 9 everything is a sum over all sequences, else sampled, with standard errors; the first\n"
      "step is exact at any T. A unit of a step size makes that step of order one: the (U,E) contrast of W_O is 1; the (E,R) contrast of\n"
      "W_K2 is 1 at that W_O; the memory signal in row T-1 of W_K1 is 1 when both are 1; the last two to leading order.\n"
      "The best cell is evaluated again on fresh sequences, gradients included, since it was chosen for being the best.\n"
      "Exit code: 0 done, 2 bad usage or input, 5 the environment failed.");
  verb->callback([options, &action] { action = [options] { return run_steps(*options); }; });
}

}  // namespace popgrad
