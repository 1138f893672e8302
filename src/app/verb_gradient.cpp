#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/common_options.hpp"
#include "app/config_keys.hpp"
#include "app/config_parse.hpp"
#include "app/gradient_engines.hpp"
#include "app/gradient_figure.hpp"
#include "app/gradient_output.hpp"
#include "app/output_folder.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"

namespace popgrad {
namespace {

struct Options {
  CommonOptions common;
  GradientWords words;
  std::string background, query;
  bool json = false;
};

GradientRequest request_of(const Options& options) {
  CommonOptions common = options.common;
  common.put_task(options.background, options.query);
  const Config config = common.load();
  GradientRequest request;
  request.N_given = config.N.has_value();
  request.task.N = config.N.value_or(request.task.N);
  request.task.T = config.T.value_or(request.task.T);
  request.task.background = config.background.value_or(request.task.background);
  request.task.query = config.query.value_or(request.task.query);
  request.d = config.d;
  request.seed = config.seed;
  read_words(options.words, request);
  return request;
}

GradientResult compute(const GradientEngine& engine, const GradientRequest& request) {
  const double seconds = engine.cost(request).seconds;
  std::optional<ProgressBar> bar;
  const auto show = [&](std::int64_t done, std::int64_t total, const std::string& unit) {
    if (!bar) bar.emplace(unit, total, false);
    bar->show(done, "of about " + readable_time(seconds));
  };
  if (seconds > 2 && !request.d) show(0, 1, engine.name);
  try {
    return engine.run(request, show);
  } catch (const std::domain_error&) {
    // Running error bounds grow with the scores; at some size no quotient of the softmax is known any more.
    if (request.order == Order::leading || request.stage == 1) throw;
    throw InputError(request.handoff == Handoff::ideal ? "--alpha, --beta" : "--eta1, --eta2",
                     "sizes at which rounding errors swamp the softmax", "smaller sizes");
  }
}

ExitCode run_gradient(const Options& options) {
  if (options.common.keys) {
    print(keys_table("gradient"));
    return ExitCode::ok;
  }
  const GradientRequest request = request_of(options);
  std::optional<OutputFolder> out;
  if (!options.common.out.empty()) {
    if (request.task.T > longest_picture)
      throw InputError("--out", "T = " + std::to_string(request.task.T), "T up to " + std::to_string(longest_picture) + " for a figure");
    if (request.symbolic && !request.N_given)
      throw InputError("--out", "functions of N", "-N as well: a figure shows values at one N");
    out.emplace("--out", options.common.out);
  }
  const GradientResult result = compute(choose_engine(request), request);
  print(options.json ? gradient_json(request, result) : gradient_table(request, result, terminal_style()));
  if (!out) return ExitCode::ok;
  const std::string drawn = draw_gradient(request, result, out->path());
  out->keep();
  if (options.json)
    fmt::print(stderr, "{}", drawn);  // standard output is one line of JSON
  else
    print(drawn);
  return ExitCode::ok;
}

std::string legend() {
  std::string text =
      "Stage 1 starts at zero and trains W_O2; stage 2 starts from W_O2 alone and trains W_K2; stage 3 starts from both and "
      "trains W_K1.\n"
      "An ideal hand-off starts from alpha W_O* and beta W_K2*, an actual one from the gradient steps of sizes eta1 and "
      "eta2, with all of\n"
      "their blocks (full) or with (U,E) and (E,R) alone (isolated). Leading order: one exact coefficient for each monomial "
      "in the sizes,\n"
      "those that come first, or with --degree n all Taylor coefficients up to total degree n.\n"
      "Full order: the softmax as it is, at the sizes given. Entries are those of -dL; the query or output block comes "
      "first.\n"
      "Without -N and -T: N = 4, T = 6.\n"
      "Engines, the preferred first:\n";
  for (const GradientEngine& engine : gradient_engines()) text += fmt::format("  {:<11} {}\n", engine.name, engine.summary);
  return text + "Exit code: 0 done, 2 bad usage or input or an instance too large, 5 the environment failed.";
}

}  // namespace

void add_gradient(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("gradient", "one population gradient of the three-step construction, block by block");
  const auto options = std::make_shared<Options>();
  GradientWords& words = options->words;
  const auto word = [&](const char* name, std::string& into, const char* values, const char* meaning) {
    verb->add_option(name, into, meaning)->type_name(values);
  };
  word("--param", words.param, "wo2|wk2|wk1", "whose gradient; default: the map that the stage trains");
  word("--stage", words.stage, "1|2|3", "at the start of which step; default: the one that trains the map");
  word("--handoff", words.handoff, "ideal|actual", "what the earlier steps left; default ideal");
  word("--blocks", words.blocks, "isolated|full", "which blocks of an actual step are handed on; default full");
  word("--order", words.order, "leading|full", "default leading, with -d full");
  word("--degree", words.degree, "n", "leading order: all Taylor coefficients in the sizes up to this total degree");
  word("--symbolic", words.symbolic, "N",
       "leading order: coefficients as rational functions of N at this T; with -N their values too");
  word("--engine", words.engine, "NAME", "how to compute it; default: the preferred one that can");
  word("--background", options->background, "any|avoid", "data.background; default avoid");
  word("--query", options->query, "last|any", "data.query; default last");
  word("--alpha", words.alpha, "SIZE", "of W_O* (ideal hand-off, full order, stages 2 and 3)");
  word("--beta", words.beta, "SIZE", "of W_K2* (the same, stage 3)");
  word("--eta1", words.eta1, "SIZE", "of the first step (actual hand-off, full order, stages 2 and 3)");
  word("--eta2", words.eta2, "SIZE", "of the second step (the same, stage 3)");
  word("--draws", words.draws, "n",
       "draws of the embeddings with -d (default 32), or samples of montecarlo (default 20000)");
  verb->add_flag("--json", options->json, "as JSON (docs/formats.md)");
  add_out_option(*verb, options->common, "draw it: gradient_blocks.svg, .pdf and .tsv in this folder (T up to 128, 8 tokens)");
  add_config_options(*verb, options->common);
  verb->footer(legend());
  verb->callback([options, &action] { action = [options] { return run_gradient(*options); }; });
}

}  // namespace popgrad
