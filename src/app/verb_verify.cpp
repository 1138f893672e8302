#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/common_options.hpp"
#include "app/config_keys.hpp"
#include "app/conjecture_claims.hpp"
#include "app/conjecture_file.hpp"
#include "app/lattice_table.hpp"
#include "app/table.hpp"
#include "app/verbs.hpp"
#include "app/verify.hpp"
#include "core/errors.hpp"
#include "theory/claims/select.hpp"

namespace popgrad {
namespace {

struct Options {
  CommonOptions common;
  std::vector<std::string> patterns;
  std::string baseline;
  std::string conjectures;
  bool sizes = false;
  bool lattice = false;
  bool full = false;
  std::string steps;
};

void add_conjectures(const Options& options, VerifyRequest& request) {
  if (options.conjectures.empty()) {
    if (options.sizes) throw InputError("--sizes", "no --conjectures", "a file of conjectures whose sizes to show");
    return;
  }
  const ConjectureRun run(read_conjectures(options.conjectures));
  request.extra = {run.claims(), [run, all = options.sizes] { return run.text(all, terminal_style()); }, {{"conjectures.tsv", [run] { return run.tsv(); }}}};
}

// The lattice in place of the claims.
ExitCode run_lattice(const Options& options, VerifyRequest request) {
  const std::vector<Claim> chosen = select_from(claims(), request.patterns);
  if (std::none_of(chosen.begin(), chosen.end(), [](const Claim& claim) { return claim.id.starts_with("T3."); }))
    throw InputError("--lattice", "no claim of T3 chosen", "'T3.*', or no claim at all");
  const LatticeRun run(options.steps.empty() ? std::nullopt : std::optional(parse_steps(options.steps)));
  request.patterns.clear();
  request.table = [run, style = request.style] { return run.text(style); };
  return verify(request, {run.claim()});
}

ExitCode run_verify(const Options& options) {
  if (options.common.keys) {
    print(keys_table("verify"));
    return ExitCode::ok;
  }
  VerifyRequest request;
  request.config = options.common.load();
  request.config.full |= options.full;
  request.patterns = options.patterns;
  if (!options.common.out.empty()) request.out = options.common.out;
  if (!options.baseline.empty()) request.baseline = options.baseline;
  request.figures = !options.common.no_figures;
  request.quiet = options.common.quiet;
  request.style = terminal_style();
  request.print = print;
  if (options.lattice && !options.conjectures.empty()) throw InputError("--conjectures", "'" + options.conjectures + "' beside --lattice", "one of the two");
  if (options.lattice) return run_lattice(options, std::move(request));
  if (!options.steps.empty()) throw InputError("--steps", "no --lattice", "sizes for the lattice");
  add_conjectures(options, request);
  return verify(request, claims());
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("verify", "check claims and print a table of verdicts: the main job");
  const auto options = std::make_shared<Options>();
  verb->add_option("CLAIM", options->patterns, "claim ids or patterns: L1, 'T3.*', or a family: L2; default: all but EMP, which trains for minutes")
      ->type_name("");
  add_config_options(*verb, options->common);
  add_out_option(*verb, options->common, "write results.json and the figures (SVG, PDF, TSV) into this folder");
  verb->add_option("--baseline", options->baseline, "compare with an earlier results.json; exit 4 if anything changed")
      ->type_name("results.json");
  verb->add_option("--conjectures", options->conjectures,
                   "check the conjectures of this file (docs/formats.md), and no claims but those named")
      ->type_name("F.toml");
  verb->add_flag("--full", options->full,
                 "the empirical claims (EMP.*) at the paper's size, T = 256, d = 128, batch 512: hours; without it they run when named, at a reduced size");
  verb->add_flag("--sizes", options->sizes, "with --conjectures: show every size");
  verb->add_flag("--lattice", options->lattice,
                 "instead of the claims, the stages of Theorem 3 under every combination of hand-off, blocks, background and query, and what stands in the way where one fails");
  verb->add_option("--steps", options->steps, "sizes of the steps of --lattice (alpha, beta for an ideal hand-off), instead of the best of a grid")
      ->type_name("ETA1,ETA2,ETA3");
  add_output_options(*verb, options->common, "no table and no progress bar: the summary and what is not verified");
  verb->footer(table_legend());
  verb->callback([options, &action] { action = [options] { return run_verify(*options); }; });
}

}  // namespace popgrad
