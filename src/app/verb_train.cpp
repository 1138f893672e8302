#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/common_options.hpp"
#include "app/config_keys.hpp"
#include "app/draw_figures.hpp"
#include "app/interrupt.hpp"
#include "app/load_corpus.hpp"
#include "app/metrics_table.hpp"
#include "app/option_names.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/revision.hpp"
#include "numerics/run_summary.hpp"
#include "numerics/training_run.hpp"

namespace popgrad {
namespace {

struct Options {
  CommonOptions common;
  bool resume = false;
};

// A run goes on with its own options, on top of which the user may set others (train refuses all but train.steps).
Config config_of_run(const RunFolder& run) {
  Config config;
  config.train = run.options();
  config.seed = config.train.seed;
  return config;
}

ExitCode train_with(const Options& options, const Config& config, const BigramCounts& corpus) {
  const std::filesystem::path folder = options.common.out;
  require_vocabulary_is_used(config, corpus);
  TrainHooks hooks;
  hooks.program = program_name();
  hooks.stop = &catch_interrupts();
  TrainResult result;
  {
    ProgressBar bar("step", config.train.steps, options.common.quiet);
    hooks.progress = [&](const TrainProgress& p) {
      if (bar.active())
        bar.show(p.step, (p.latest != nullptr ? metrics_line_for_bar(*p.latest) : "") +
                             fmt::format("  {:.0f} seq/s", p.sequences_per_second));
    };
    result = train(config.train, corpus, folder, options.resume, hooks);
  }
  if (!options.common.quiet) print(metrics_table(result.final));
  if (!result.finished) {
    print(fmt::format("stopped after step {} of {}; 'popgrad train --resume --out {}' continues with the same bits\n",
                      result.step, config.train.steps, folder.string()));
    return interrupted_exit_code();
  }
  print(fmt::format("wrote the run to {}\n", folder.string()));
  if (!options.common.no_figures) print(draw_figures(folder, folder));
  const int N = config.train.N(corpus);
  const auto since = diverged("--out", RunFolder::open(folder).metrics_text(), N);
  const std::string excess = excess_loss(result.final, since, N);
  if (since) throw Error(ExitCode::refuted, excess);
  if (!excess.empty()) print("note: " + excess + "\n");
  return ExitCode::ok;
}

ExitCode run_train(const Options& options) {
  if (options.common.keys) {
    print(keys_table("train"));
    return ExitCode::ok;
  }
  if (options.common.out.empty()) throw InputError("--out", "nothing", "a folder for the run");
  return with_config_keys([&] {
    if (options.resume) {
      const RunFolder run = RunFolder::open(options.common.out);
      const Config config = options.common.load(config_of_run(run));
      return train_with(options, config, config.corpus ? load_corpus("data.corpus", config.corpus) : run.corpus());
    }
    const Config config = options.common.load();
    return train_with(options, config, load_corpus("data.corpus", config.corpus));
  });
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("train", "train the finite-d model and measure its memories on the way");
  const auto options = std::make_shared<Options>();
  add_config_options(*verb, options->common);
  add_out_option(*verb, options->common, "folder for the run: config.toml, checkpoints, metrics.jsonl, figures");
  verb->add_flag("--resume", options->resume, "continue the run in --out with its own options; train.steps may grow");
  add_output_options(*verb, options->common, "no table of probes and no progress bar: where the run was written");
  verb->footer(
      std::string(probes_legend()) +
      "\npopgrad train --keys lists everything that can be set. The folder must not hold another run. Ctrl-C finishes the\n"
      "current step, saves a state that --resume continues bit for bit, and exits with 130. docs/formats.md describes the "
      "files.\n"
      "Exit code: 0 done, 1 diverged (a loss or a weight was not finite, or the held-out loss ended above 10 log N nats, ten times\n"
      "what the uniform prediction over N tokens costs), 2 bad usage or input, 5 the environment failed, 130 interrupted.");
  verb->callback([options, &action] { action = [options] { return run_train(*options); }; });
}

}  // namespace popgrad
