#include <CLI/CLI.hpp>
#include <memory>

#include "app/common_options.hpp"
#include "app/compare_table.hpp"
#include "app/config_keys.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/revision.hpp"
#include "theory/claims/first_batch.hpp"

namespace popgrad {
namespace {

struct Options {
  CommonOptions common;
  std::string run;
};

ExitCode code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::verified:
      return ExitCode::ok;
    case Verdict::refuted:
      return ExitCode::refuted;
    default:
      return ExitCode::undecided;
  }
}

ExitCode run_compare(const Options& options) {
  if (options.common.keys) {
    print(keys_table("compare"));
    return ExitCode::ok;
  }
  if (options.run.empty()) throw InputError("RUN", "nothing", "the folder of a run made by popgrad train");
  const Config config = options.common.load();
  const RunFolder run = RunFolder::open(options.run);
  CompareOptions compare;
  compare.level = config.level;
  compare.groups = config.compare_groups;
  compare.minibatches = config.compare_minibatches;
  compare.program = program_name();
  CompareReport report;
  {
    ProgressBar bar("reference batch", compare.groups, options.common.quiet);
    compare.progress = [&](std::int64_t done, std::int64_t) { bar.show(done, ""); };
    report = compare_first_batch(run, compare);
  }
  print(compare_table(report, terminal_style()));
  return code_of(report.verdict);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("compare", "did a run do its first update right, and are its minibatch gradients consistent with the population gradient?");
  const auto options = std::make_shared<Options>();
  verb->add_option("RUN", options->run, "folder of a run made by popgrad train")->required()->type_name("");
  add_config_options(*verb, options->common);
  verb->add_flag("--quiet", options->common.quiet, "no progress bar");
  verb->footer(compare_legend());
  verb->callback([options, &action] { action = [options] { return run_compare(*options); }; });
}

}  // namespace popgrad
