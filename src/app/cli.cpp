#include "app/cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "core/revision.hpp"

namespace popgrad {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void require_verb(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<std::string> verbs = verbs_of(app);
  if (argc < 2) throw InputError("verb", "nothing", "one of " + joined(verbs) + " (see popgrad --help)");
  const std::string word = argv[1];
  if (!word.empty() && word[0] == '-') return;
  if (std::find(verbs.begin(), verbs.end(), word) == verbs.end())
    throw InputError("verb", "'" + word + "'", "one of " + joined(verbs) + did_you_mean(word, verbs));
}

// An unset shell variable: taken as a value it would mean "not given" to some options.
void require_values(int argc, const char* const* argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i], before = argv[i - 1];
    if (word.empty() && before.size() > 1 && before[0] == '-') throw InputError(before, "''", "a value");
    if (word.starts_with("--") && word.ends_with('=')) throw InputError(word.substr(0, word.size() - 1), "''", "a value");
  }
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// What CLI11 complains about, as argument, value and expectation.
[[noreturn]] void report(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> parsed = app.get_subcommands([](const CLI::App* verb) { return verb->parsed(); });
  const std::vector<std::string> extras = app.remaining(true);
  const bool before_verb = parsed.empty() || !app.remaining(false).empty();
  const CLI::App& at = before_verb ? app : *parsed.front();
  const std::string who = before_verb ? "popgrad" : "popgrad " + at.get_name();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !extras.empty()) {
    const std::string extra = extras.front().substr(0, extras.front().find('='));
    if (extra.size() > 1 && extra[0] == '-')
      throw InputError(who, "unknown option '" + extra + "'",
                       before_verb ? "a verb first, then its options (see popgrad --help)"
                                   : "an option listed by " + who + " --help" + did_you_mean(extra, options_of(at)));
    throw InputError(who, "'" + extra + "' in excess", "the arguments listed by " + who + " --help");
  }
  throw Error(ExitCode::usage, who + ": " + error.what() + " (see " + who + " --help)");
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app("popgrad: checks claims about population gradients of the associative-memory transformer.", "popgrad");
  app.set_version_flag("--version", std::string("popgrad ") + version() + " (revision " + git_revision() + ")");
  app.require_subcommand(1);
  app.footer(
      "Each verb has its own --help. Exit codes: 0 all verified or done, 1 refuted, or a training that diverged, 2 bad usage or\n"
      "input, 3 undecided or not applicable, 4 differs from --baseline, 5 the environment failed, 130 interrupted.");
  Action action;
  add_verify(app, action);
  add_claims(app, action);
  add_gradient(app, action);
  add_fit(app, action);
  add_steps(app, action);
  add_train(app, action);
  add_sweep(app, action);
  add_flow(app, action);
  add_emergence(app, action);
  add_compare(app, action);
  add_report(app, action);
  add_corpus(app, action);
  require_verb(app, argc, argv);
  require_values(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return static_cast<int>(ExitCode::ok);
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return static_cast<int>(ExitCode::ok);
  } catch (const CLI::ParseError& error) {
    report(app, error);
  }
  return static_cast<int>(action());
}

}  // namespace popgrad
