#include <omp.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/config_parse.hpp"
#include "app/fit_output.hpp"
#include "app/progress.hpp"
#include "app/verbs.hpp"
#include "core/errors.hpp"
#include "theory/claims/fit_basis.hpp"

namespace popgrad {
namespace {

struct Options {
  FitWords words;
  std::string threads;
  bool json = false, list = false, quiet = false;
};

std::size_t needed(const ProposedBasis& basis, const std::string& symbol) {
  for (const auto& [name, count] : basis.values_needed)
    if (name == symbol) return count;
  return 0;
}

FitAttempt attempt(FitRequest& request, const Grid& grid, const std::string& words, const FitBasis& basis, bool quiet) {
  const std::vector<Size> sizes = sizes_of(grid);
  double seconds = 0;
  for (const Size& size : sizes) {
    request.meter.require_measurable(size);
    seconds += request.meter.seconds(size) / (size.t ? size.T : 1);
  }
  if (seconds > 1800)
    throw InputError("-T", "a grid that takes about " + std::to_string(static_cast<int>(seconds / 60)) + " minutes",
                     "at most 30");
  ProgressBar bar("size", static_cast<std::int64_t>(sizes.size()), quiet);
  std::int64_t done = 0;
  const Samples samples = sample(request.meter, sizes, [&](const Size& size) { bar.show(++done, size.describe()); });
  return {words, basis.functions.size(), grid.describe(), sizes.size(), fit_closed_form("--basis", samples, basis)};
}

// The closed form against the engine that shares nothing with the one it was fitted to.
std::vector<Size> check_by_orbits(const FitRequest& request, const Formula& formula, const Grid& grid) {
  std::vector<Size> checked;
  QuantityMeter orbits("--engine", request.meter.quantity(), request.meter.switches(), request.meter.monomial(),
                       MeterEngine::orbits);
  for (const Size& size : sizes_of(grid)) {
    const bool small = request.t ? size.T == 8 && size.N == 3 : size.T <= 6 && size.N <= 4;
    if (!small || checked.size() == 6) continue;
    const Rational measured = orbits.at(size);
    require(measured == formula.evaluate_exact(size.bindings()), "popgrad fit", "closed form", "equal to a sum over orbits",
            size.describe());
    checked.push_back(size);
  }
  return checked;
}

ExitCode exit_of(Fitted::Outcome outcome) {
  return outcome == Fitted::Outcome::found  ? ExitCode::ok
         : outcome == Fitted::Outcome::none ? ExitCode::refuted
                                            : ExitCode::undecided;
}

ExitCode run_fit(const Options& options) {
  if (options.list) {
    std::string text;
    for (const std::string& name : all_quantities()) text += name + "\n";
    print(text);
    return ExitCode::ok;
  }
  if (!options.threads.empty()) {
    Setting setting;
    setting.where = "--threads";
    setting.value = options.threads;
    omp_set_num_threads(static_cast<int>(parse_integer(setting, 1, 1024)));
  }
  FitRequest request = read_fit(options.words);
  FitReport report{request.meter.describe(), request.meter.engine(), {}, {}};
  Grid grid = request.grid(0, 0);
  if (request.basis) {
    const std::string words =
        "{" + options.words.basis + "}" + (options.words.denominator.empty() ? "" : " over " + options.words.denominator);
    report.attempts.push_back(attempt(request, grid, words, *request.basis, options.quiet));
  } else {
    for (const ProposedBasis& basis : propose_bases("--basis", request.meter, request.base, request.variables)) {
      grid = request.grid(needed(basis, "N"), needed(basis, "T"));
      report.attempts.push_back(attempt(request, grid, basis.description, basis.basis, options.quiet));
      if (report.attempts.back().fitted.outcome == Fitted::Outcome::found) break;
    }
  }
  const Fitted& last = report.attempts.back().fitted;
  if (last.formula && report.engine == MeterEngine::moments)
    report.checked_by_orbits = check_by_orbits(request, *last.formula, grid);
  print(options.json ? fit_json(report) : fit_text(report, terminal_style()));
  return exit_of(last.outcome);
}

constexpr const char* legend =
    "Measures the quantity exactly at every size of a grid, solves for rational coefficients c_k in\n"
    "quantity = (sum_k c_k f_k)/D on the first sizes that determine them, and reports a closed form only if it predicts "
    "every other\n"
    "size exactly. Held out are the sizes of the largest N and the largest T.\n"
    "Without --basis powers of N, T, t in D and the degrees are read off the values at large primes; without -N and -T the "
    "grid\n"
    "has as many values as that basis needs. Formulas: + - * / ^, brackets, integers, decimals, H(n), H(n,m); symbols N, T, "
    "t, s.\n"
    "Example: popgrad fit stage2.wk2.ER.diag --background any\n"
    "Exit code: 0 found, 1 no closed form in the basis, 2 bad usage or input, 3 the sizes do not determine one, 5 the "
    "environment failed.";

}  // namespace

void add_fit(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("fit", "find a closed form of a quantity from exact values, and say where it was tested");
  const auto options = std::make_shared<Options>();
  FitWords& words = options->words;
  const auto word = [&](const char* name, std::string& into, const char* values, const char* meaning) {
    verb->add_option(name, into, meaning)->type_name(values);
  };
  verb->add_option("QUANTITY", words.quantity, "such as stage2.wk2.ER.diag or 'stage3.wk1.PP[t,t-1]'; --list prints them")
      ->type_name("");
  word("--handoff", words.handoff, "ideal|actual", "what the earlier steps left; default ideal");
  word("--blocks", words.blocks, "isolated|full", "which blocks of an actual step are handed on; default full");
  word("--background", words.background, "any|avoid", "default avoid");
  word("--query", words.query, "last|any", "default last");
  word("--monomial", words.monomial, "M", "which coefficient of stage 3, such as eta1^2; default the last");
  word("--engine", words.engine, "moments|orbits", "how values are measured; default moments where it reaches");
  word("-N", words.N, "VALUES", "of the grid: \"2..9\", \"3,5,7\"");
  word("-T", words.T, "VALUES", "the same");
  word("-t", words.t, "VALUES", "positions where the quantity has them; default \"3..T-2\"");
  word("-s", words.s, "VALUES", "default \"2..t-2\"");
  word("--basis", words.basis, "F1,F2,...", "the functions f_k");
  word("--denominator", words.denominator, "D", "what all of them are divided by; default 1");
  word("--threads", options->threads, "n", "default: all");
  verb->add_flag("--json", options->json, "as JSON (docs/formats.md)");
  verb->add_flag("--list", options->list, "print every quantity and exit");
  verb->add_flag("--quiet", options->quiet, "no progress bar");
  verb->footer(legend);
  verb->callback([options, &action] { action = [options] { return run_fit(*options); }; });
}

}  // namespace popgrad
