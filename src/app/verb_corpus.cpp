#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/output_folder.hpp"
#include "app/terminal.hpp"
#include "app/verbs.hpp"
#include "core/atomic_file.hpp"
#include "core/bigram_counts.hpp"

namespace popgrad {

void add_corpus(CLI::App& app, Action& action) {
  struct Options {
    std::string text, out;
  };
  CLI::App* verb = app.add_subcommand("corpus", "count the characters and bigrams of a text");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->text, "the text; its distinct bytes are the tokens")->required()->type_name("");
  verb->add_option("--out", options->out, "write the counts to this file; default: standard output")->type_name("F.tsv");
  verb->footer("The counts are a TSV with provenance in '#' lines (docs/formats.md); --set data.corpus=F.tsv uses them.");
  verb->callback([options, &action] {
    action = [options] {
      if (!options->out.empty()) require_writable_file("--out", options->out);
      const BigramCounts counts = count_bigrams("FILE", read_file("FILE", options->text), options->text);
      if (options->out.empty()) {
        print(to_tsv(counts));
        return ExitCode::ok;
      }
      write_file_atomically(options->out, to_tsv(counts));
      print(fmt::format("wrote {}: N = {}, {} characters, {} distinct bigrams\n", options->out, counts.N(),
                        counts.characters(), counts.distinct_bigrams()));
      return ExitCode::ok;
    };
  });
}

}  // namespace popgrad
