// The built program, as a user meets it.
#include "tests/catch.hpp"
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

// results.json without what differs from run to run.
std::string without_times(const std::string& json) {
  std::string text;
  for (std::size_t begin = 0; begin < json.size();) {
    const std::size_t end = json.find('\n', begin) + 1;
    const std::string line = json.substr(begin, end - begin);
    if (!contains(line, "\"seconds\"")) text += line;
    begin = end;
  }
  return text;
}

}  // namespace

TEST_CASE("the option --help lists the verbs and exit codes, on standard output, and succeeds") {
  const Finished run = run_popgrad({"--help"});
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  for (const char* word : {"verify", "claims", "gradient", "train", "compare", "report", "corpus", "Exit codes", "--version"})
    CHECK(contains(run.out, word));
  CHECK_FALSE(contains(run.out, "gradient --param"));
}

TEST_CASE("verify --help explains options, columns and exit codes") {
  const Finished run = run_popgrad({"verify", "--help"});
  CHECK(run.code == 0);
  for (const char* word : {"--config", "--set", "-N", "-T", "-d", "--seed", "--threads", "--level", "--out", "--no-figures",
                           "--quiet", "--baseline", "error budget", "controls", "not applicable", "Exit code"})
    CHECK(contains(run.out, word));
}

TEST_CASE("what --help says of a shared option is true for the verb") {
  const std::string verify = run_popgrad({"verify", "--help"}).out, train = run_popgrad({"train", "--help"}).out,
                    compare = run_popgrad({"compare", "--help"}).out, report = run_popgrad({"report", "--help"}).out;
  CHECK(contains(verify, "the summary and what is not verified"));
  CHECK_FALSE(contains(train, "not verified"));
  CHECK(contains(compare, "[OPTIONS] RUN\n"));
  CHECK(contains(report, "[OPTIONS] RESULTS...\n"));
  for (const std::string& help : {verify, train, compare}) {
    CHECK(contains(help, "--set KEY=VALUE  "));  // one value an option
    CHECK_FALSE(contains(help, "KEY=VALUE ..."));
  }
  for (const char* word : {"chance", "margin", "ties", "rows", "without mask", "diverged"}) CHECK(contains(train, word));
}

TEST_CASE("the option --set takes one value and may be repeated") {
  const Finished twice = run_popgrad({"verify", "T3.step1", "--set", "data.vocab=3", "--set", "data.length=5", "--quiet"});
  CHECK(twice.code == 0);
  const Finished two = run_popgrad({"verify", "--set", "data.vocab=3", "data.length=5"});
  CHECK(two.code == 2);
  CHECK(contains(two.err, "'data.length=5'"));
}

TEST_CASE("every verb has a help text of its own") {
  for (const char* verb : {"verify", "claims", "gradient", "train", "compare", "report", "corpus"}) {
    const Finished run = run_popgrad({verb, "--help"});
    INFO(verb << run.out);
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(contains(run.out, verb));
    CHECK_FALSE(contains(run.out, "Each verb has its own --help"));
  }
}

TEST_CASE("the option --version says version and revision") {
  const Finished run = run_popgrad({"--version"});
  CHECK(run.code == 0);
  CHECK(run.out.starts_with("popgrad 0."));
  CHECK(contains(run.out, "(revision "));
}

TEST_CASE("the option --keys prints the table of keys and runs nothing") {
  const Finished verify = run_popgrad({"verify", "--keys"}), train = run_popgrad({"train", "--keys"});
  CHECK(verify.code == 0);
  CHECK(train.code == 0);
  CHECK(contains(train.out, "train.weight_decay"));
  CHECK(contains(verify.out, "verify.work"));
  CHECK_FALSE(contains(verify.out, "train.weight_decay"));
  const Finished compare = run_popgrad({"compare", "--keys"});  // needs no run
  CHECK(compare.code == 0);
  CHECK(contains(compare.out, "compare.groups"));
}

TEST_CASE("claims lists every claim, in text and as JSON") {
  const Finished text = run_popgrad({"claims"}), json = run_popgrad({"claims", "--json"});
  CHECK(text.code == 0);
  CHECK(json.code == 0);
  for (const char* id : {"L1", "L2.identity", "L2.filter", "L2.variance", "L2.onestep", "T3.gate", "T3.step1", "T3.step2", "T3.step3",
                         "T3.onset.isolated", "T3.onset.full", "MC.variance"}) {
    CHECK(contains("\n" + text.out, std::string("\n") + id + "\n"));
    CHECK(contains(json.out, std::string("\"id\": \"") + id + "\""));
  }
  CHECK(run_popgrad({"claims", "T3.step1"}).out.starts_with("T3.step1\n"));
}

TEST_CASE("verify prints a table without colour or progress bar where nobody looks, and writes results.json") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad({"verify", "T3.step1", "-N", "3", "-T", "5", "--out", folder / "out", "--no-figures"});
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK_FALSE(contains(run.out, "\033"));
  CHECK_FALSE(contains(run.out, "\r"));
  for (const char* word :
       {"T3.step1", "verified", "0 (exact)", "exact", "negative controls refuted", "not the authors' wording"})
    CHECK(contains(run.out, word));
  CHECK(contains(text_of(folder / "out/results.json"), "popgrad-results"));
  CHECK(folder.contents().size() == 2);
}

TEST_CASE("verify without gnuplot works and says which figures were not drawn, and why") {
  const TemporaryFolder folder;
  RunSetup setup;
  setup.environment["PATH"] = (folder / "nothing").string();
  const Finished run = run_popgrad({"verify", "T3.step1", "-N", "3", "-T", "5", "--out", folder / "out"}, setup);
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "not drawn"));
  CHECK(contains(run.out, "gnuplot"));
  CHECK(contains(run.out, "step1_memory"));
  CHECK(std::filesystem::exists(folder / "out/results.json"));
}

TEST_CASE("a run agrees with its own results as a baseline, a baseline with another value gives 4") {
  const TemporaryFolder folder;
  REQUIRE(run_popgrad({"verify", "T3.step1", "-N", "3", "-T", "5", "--out", folder / "out", "--no-figures"}).code == 0);
  const std::string file = folder / "out/results.json";
  const Finished same = run_popgrad({"verify", "T3.step1", "-N", "3", "-T", "5", "--quiet", "--baseline", file});
  INFO(same.out << same.err);
  CHECK(same.code == 0);
  CHECK(contains(same.out, " 0 changes"));
  std::string text = text_of(file);
  const std::size_t at = text.find("\"verdict\": \"verified\"");
  REQUIRE(at != std::string::npos);
  text.replace(at, 21, "\"verdict\": \"undecided\"");
  const Finished changed =
      run_popgrad({"verify", "T3.step1", "-N", "3", "-T", "5", "--quiet", "--baseline", folder.write("old.json", text)});
  CHECK(changed.code == 4);
  CHECK(contains(changed.out, " 1 changes"));
}

TEST_CASE("1, 2 and 7 threads write the same results, bit for bit") {
  const TemporaryFolder folder;
  std::vector<std::string> texts;
  for (const char* threads : {"1", "2", "7"}) {
    const Finished run = run_popgrad({"verify", "T3.step1", "L2.variance", "-N", "3", "-T", "5", "--quiet", "--no-figures",
                                      "--threads", threads, "--out", folder / threads});
    INFO(run.out << run.err);
    REQUIRE(run.code == 0);
    texts.push_back(without_times(text_of(folder / (std::string(threads) + "/results.json"))));
  }
  CHECK(contains(texts[0], "\"grade\": \"sampled\""));
  CHECK(contains(texts[0], "\"grade\": \"exact\""));
  CHECK(texts[0] == texts[1]);
  CHECK(texts[0] == texts[2]);
}

TEST_CASE("report shows the same table again from results.json, without computing") {
  const TemporaryFolder folder;
  const Finished verify = run_popgrad({"verify", "T3.step1", "-N", "3", "-T", "5", "--out", folder.path(), "--no-figures"});
  RunSetup setup;
  setup.environment["PATH"] = "/nothing";
  const Finished report = run_popgrad({"report", folder.path()}, setup);
  INFO(report.out << report.err);
  CHECK(report.code == 0);
  const std::string shown = verify.out.substr(0, verify.out.find("wrote "));  // also what the letters mean, and whose statements
  CHECK(contains(shown, "error budget: r roundoff"));
  CHECK(contains(shown, "not the authors' wording"));
  CHECK(contains(report.out, shown));
}

TEST_CASE("corpus counts a text, and its counts stand for the text") {
  const TemporaryFolder folder;
  const std::string text = folder.write("text.txt", "abracadabra");
  const Finished printed = run_popgrad({"corpus", text}),
                 written = run_popgrad({"corpus", text, "--out", folder / "counts.tsv"});
  CHECK(printed.code == 0);
  CHECK(written.code == 0);
  CHECK(printed.out == text_of(folder / "counts.tsv"));
  CHECK(contains(written.out, "N = 5, 11 characters, 7 distinct bigrams"));
  const Finished from_text =
      run_popgrad({"verify", "L1", "--quiet", "--no-figures", "--set", "data.corpus=" + text, "--out", folder / "a"});
  const Finished from_counts = run_popgrad({"verify", "L1", "--quiet", "--no-figures", "--set",
                                            "data.corpus=" + (folder / "counts.tsv").string(), "--out", folder / "b"});
  INFO(from_text.out << from_text.err << from_counts.out << from_counts.err);
  CHECK(from_text.code == from_counts.code);
  const auto rows = [](const std::string& json) { return without_times(json.substr(json.find("\"rows\""))); };
  CHECK(rows(text_of(folder / "a/results.json")) == rows(text_of(folder / "b/results.json")));
}

TEST_CASE("a full disk under standard output is exit 5 in one line, a closed pipe is quiet") {
  RunSetup full, closed;
  full.out = StandardOutput::full_disk;
  closed.out = StandardOutput::closed_pipe;
  const Finished on_full = run_popgrad({"claims"}, full), on_closed = run_popgrad({"claims"}, closed);
  CHECK(on_full.code == 5);
  CHECK(lines(on_full.err) == 1);
  CHECK(contains(on_full.err, "standard output"));
  CHECK(on_closed.code == 0);
  CHECK(on_closed.err.empty());
}
