#include <CLI/CLI.hpp>
#include <memory>

#include "app/draw_figures.hpp"
#include "app/metrics_table.hpp"
#include "app/output_folder.hpp"
#include "app/results_json.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/atomic_file.hpp"
#include "numerics/flow_run.hpp"
#include "numerics/run_folder.hpp"
#include "numerics/run_summary.hpp"

namespace popgrad {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> sources;
  std::string out;
  bool quiet = false;
};

// The file or run folder that a word on the command line means.
struct Source {
  fs::path path;    // what figures are drawn from: a results.json or a run folder
  fs::path folder;  // where it lies
  bool run = false;
};

Source source_of(const std::string& word) {
  const fs::path path = word;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw InputError("RESULTS", "'" + word + "' (no such file)", "a results.json, its folder, or a run folder");
  if (!fs::is_directory(path, ignored)) return {path, path.has_parent_path() ? path.parent_path() : fs::path("."), false};
  if (fs::exists(path / "results.json", ignored)) return {path / "results.json", path, false};
  if (fs::exists(path / "metrics.jsonl", ignored)) return {path, path, true};
  throw InputError("RESULTS", "'" + word + "' (neither results.json nor metrics.jsonl in it)",
                   "a results.json, its folder, or a run folder");
}

std::string results_text(const fs::path& file, const Results& results, bool quiet) {
  return file.string() + ": popgrad " + results.version + " (" + results.revision + "), seed " +
         std::to_string(results.seed) + "\n" + verdict_text(results, quiet, terminal_style());
}

// The last evaluation, as train shows it when a run ends.
std::string run_text(const fs::path& folder, bool quiet) {
  if (is_flow_run(folder)) {
    const Metrics final = final_metrics("RESULTS", read_file("RESULTS", folder / "metrics.jsonl"));
    return folder.string() + ": population flow\n" + (quiet ? "" : population_table(final));
  }
  const RunFolder run = RunFolder::open(folder);
  const std::string log = run.metrics_text();
  const int N = run.options().N(run.corpus());
  const Metrics final = final_metrics("RESULTS", log);
  const std::string excess = excess_loss(final, diverged("RESULTS", log, N), N);
  return folder.string() + ": seed " + std::to_string(run.options().seed) + "\n" + (quiet ? "" : metrics_table(final)) +
         (excess.empty() ? "" : excess + "\n");
}

ExitCode run_report(const Options& options) {
  std::vector<Source> sources;
  std::vector<Results> results;
  for (const std::string& word : options.sources) {
    sources.push_back(source_of(word));
    results.push_back(sources.back().run ? Results{} : read_results("RESULTS", sources.back().path));
  }
  if (sources.size() > 1 && !options.out.empty())
    throw InputError("--out", "'" + options.out + "' for " + std::to_string(sources.size()) + " sources",
                     "one source, or no --out: each then gets its figures beside it");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    OutputFolder out("--out", options.out.empty() ? sources[i].folder : fs::path(options.out));
    print(sources[i].run ? run_text(sources[i].path, options.quiet) : results_text(sources[i].path, results[i], options.quiet));
    const std::string text = draw_figures(sources[i].path, out.path());
    out.keep();
    print(text.empty() ? sources[i].path.string() + " carries no figures\n" : text);
  }
  return ExitCode::ok;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("report", "show results and draw their figures again, without computing anything");
  const auto options = std::make_shared<Options>();
  verb->add_option("RESULTS", options->sources, "results.json files, their folders, or folders of training runs")
      ->required()
      ->type_name("");
  verb->add_option("--out", options->out, "folder for the figures; default: beside the results")->type_name("DIR");
  verb->add_flag("--quiet", options->quiet, "no table: the summary and what is not verified");
  verb->footer("Exit code: 0 done, whatever the verdicts; 2 bad usage or input, 5 the environment failed.");
  verb->callback([options, &action] { action = [options] { return run_report(*options); }; });
}

}  // namespace popgrad
