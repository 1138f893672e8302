#include <CLI/CLI.hpp>
#include <memory>

#include "app/claims_text.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"

namespace popgrad {

void add_claims(CLI::App& app, Action& action) {
  struct Options {
    std::vector<std::string> patterns;
    bool json = false;
  };
  CLI::App* verb = app.add_subcommand("claims", "list the claims: statements, hypotheses, closed forms, sources");
  const auto options = std::make_shared<Options>();
  verb->add_option("CLAIM", options->patterns, "claim ids or patterns; default: all")->type_name("");
  verb->add_flag("--json", options->json, "as JSON (docs/formats.md)");
  verb->footer("Exit code: 0 done, 2 bad usage or input, 5 the environment failed.");
  verb->callback([options, &action] {
    action = [options] {
      const std::vector<Claim> chosen = select_claims(options->patterns);
      print(options->json ? claims_json(chosen) : claims_text(chosen, terminal_style().width));
      return ExitCode::ok;
    };
  });
}

}  // namespace popgrad
