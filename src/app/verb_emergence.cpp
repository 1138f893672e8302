#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "app/common_options.hpp"
#include "app/config_keys.hpp"
#include "app/config_parse.hpp"
#include "app/emergence_output.hpp"
#include "app/option_names.hpp"
#include "app/output_folder.hpp"
#include "app/progress.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/atomic_file.hpp"
#include "core/revision.hpp"
#include "reports/emergence.hpp"

namespace popgrad {
namespace {

struct Options {
  CommonOptions common;
  std::string N = "4", T = "5,6,7,8", without = "nothing", blocks = "full", rate = "2", rates = "3", longest, accuracy = "0.9";
  std::string background, query;
  bool attention = false;
};

std::vector<std::string> words_of(const std::string& option, const std::string& list) {
  std::vector<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  if (words.empty() || list.back() == ',') throw InputError(option, "'" + list + "'", "values separated by commas");
  return words;
}

std::vector<int> sizes_of(const std::string& option, const std::string& list, int low, int high) {
  std::vector<int> sizes;
  for (const std::string& word : words_of(option, list)) {
    sizes.push_back(static_cast<int>(parse_integer(typed(option, word), low, high)));
    if (sizes.size() > 1 && sizes.back() <= sizes[sizes.size() - 2]) throw InputError(option, "'" + list + "'", "increasing sizes");
  }
  return sizes;
}

std::vector<EmergenceRequest> requests_of(const Options& options) {
  const Config config = options.common.load();
  EmergenceRequest request;
  request.task.background = config.background.value_or(Background::avoid);
  request.task.query = config.query.value_or(Query::last);
  request.blocks = parse_word(typed("--blocks", options.blocks), {"full", "isolated"}) == "full" ? Blocks::full : Blocks::isolated;
  constexpr Range positive{0, 1e9, false, true};
  request.rate = parse_number(typed("--rate", options.rate), positive);
  request.rates = static_cast<int>(parse_integer(typed("--rates", options.rates), 2, 6));
  if (!options.longest.empty()) request.longest = parse_number(typed("--longest", options.longest), positive);
  request.accuracy = parse_number(typed("--accuracy", options.accuracy), {0, 1, false, true});
  const std::vector<int> Ns = sizes_of("-N", options.N, 2, 65536), Ts = sizes_of("-T", options.T, 4, 14);
  std::vector<EmergenceRequest> all;
  std::set<std::string> seen;
  for (const std::string& word : words_of("--without", options.without)) {
    if (!seen.insert(word).second) throw InputError("--without", "'" + word + "' twice", "every word once");
    request.without = parse_word(typed("--without", word), {"nothing", "value_block", "wk1", "value", "key", "query", "guess"});
    for (const int N : Ns)
      for (const int T : Ts) {
        request.task.N = N;
        request.task.T = T;
        request.validate();
        all.push_back(request);
      }
  }
  return all;
}

std::string heading(const EmergenceRequest& request) {
  std::string rates;
  for (int i = 0; i < request.rates; ++i) rates += fmt::format("{}{:g}", i == 0 ? "" : ", ", request.first_rate() * std::exp2(-i));
  return fmt::format(
      "population gradient descent from zero, {} blocks, {} query={}; time is rate x updates\n"
      "emergence: the population loss is half of log N, extrapolated from rates {} to rate 0; t90: accuracy {:g} first reached, at the smallest rate;\n1st order: what the last halving of the rate took off\n",
      name(request.blocks), name(request.task.background), name(request.task.query), rates, request.accuracy);
}

void write(const std::filesystem::path& folder, const std::vector<Emergence>& all, const std::vector<EmergenceLine>& lines,
           const std::vector<LearnedAttention>& learned, bool draw_them) {
  write_file_atomically(folder / "emergence.json",
                        emergence_json(all, lines, learned, std::string("popgrad ") + version() + " (" + git_revision() + ")"));
  write_file_atomically(folder / "emergence.tsv", emergence_tsv(all));
  print(fmt::format("wrote {0}/emergence.json, {0}/emergence.tsv\n", folder.string()));
  if (!draw_them) return;
  for (FigureSeries& series : emergence_series(lines)) {
    const std::string stem = series.figure + "_" + series.configuration;
    const FigureOutcome outcome = draw(emergence_figure(stem, std::move(series)), folder);
    print(fmt::format("figure {}{}\n", outcome.name, outcome.drawn ? "" : " not drawn: " + outcome.reason));
  }
}

ExitCode run_emergence(const Options& options) {
  if (options.common.keys) {
    print(keys_table("emergence"));
    return ExitCode::ok;
  }
  const std::vector<EmergenceRequest> requests = with_config_keys([&] { return requests_of(options); });
  std::optional<OutputFolder> out;
  if (!options.common.out.empty()) out.emplace("--out", options.common.out);
  std::vector<Emergence> all;
  {
    ProgressBar bar("size", static_cast<std::int64_t>(requests.size()), options.common.quiet);
    std::int64_t done = 0;
    const auto describe = [&] {
      const auto i = static_cast<std::size_t>(done);
      if (i < requests.size()) bar.show(done, requests[i].task.describe() + ", " + without_text(requests[i].without));
    };
    describe();
    all = measure_emergence(requests, [&](const Emergence&) {
      ++done;
      describe();
    });
  }
  const std::vector<EmergenceLine> lines = emergence_lines(all);
  const std::vector<LearnedAttention> learned = options.attention ? learned_attention(all) : std::vector<LearnedAttention>{};
  print(heading(requests.front()) + (options.common.quiet ? "" : emergence_table(all)) + exponent_text(lines));
  if (options.attention) print(attention_table(all, learned));
  if (out) {
    write(out->path(), all, lines, learned, !options.common.no_figures);
    out->keep();
  }
  return ExitCode::ok;
}

}  // namespace

void add_emergence(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("emergence", "when population gradient descent finds the head, and how that time grows with T and N");
  const auto options = std::make_shared<Options>();
  const auto word = [&](const char* name, std::string& into, const char* values, const char* meaning) {
    verb->add_option(name, into, meaning)->type_name(values)->capture_default_str();
  };
  word("-N", options->N, "LIST", "vocabulary sizes, separated by commas");
  word("-T", options->T, "LIST", "lengths, 4 .. 14");
  word("--without", options->without, "LIST", "what is left out of the gradient: words of flow.without (popgrad flow --keys)");
  word("--blocks", options->blocks, "full|isolated", "isolated: only (U,E), (E,R) and (P,P) move");
  word("--rate", options->rate, "SIZE", "the largest rate");
  word("--rates", options->rates, "n", "so many rates, each half of the one before");
  word("--longest", options->longest, "TIME", "give up after this time; default 500 N");
  word("--accuracy", options->accuracy, "x", "what t90 waits for");
  verb->add_flag("--attention", options->attention, "where the head looks and what W_K1 holds, where each smallest rate stopped");
  add_config_options(*verb, options->common);
  verb->add_option("--background", options->background, "data.background; default avoid")->type_name("any|avoid");
  verb->add_option("--query", options->query, "data.query; default last")->type_name("last|any");
  add_out_option(*verb, options->common, "folder for emergence.json, emergence.tsv and figures");
  add_output_options(*verb, options->common, "no table of times and no progress bar: the exponents");
  verb->footer(
      "Exponents need four sizes that emerged. Their model error is how far they move between four fits: log time = a + p log x + b/x, without\n"
      "b/x, without the smallest size, and with c/x^2 (docs/theory.md, section 5, T3.emergence). A large rate is not stable at large N: the error\n"
      "of the extrapolation then says so; halve --rate. An update costs a sum over the partitions of T positions into at most N classes.\n"
      "Exit code: 0 done, 2 bad usage or input or more than an hour of work, 5 the environment failed.");
  verb->callback([options, &action] {
    action = [options] {
      for (const auto& [value, key] : {std::pair{options->background, "data.background"}, {options->query, "data.query"}})
        if (!value.empty()) options->common.sets.push_back(std::string(key) + "=" + value);
      return run_emergence(*options);
    };
  });
}

}  // namespace popgrad
