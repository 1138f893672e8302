// Every bad input in one place: each gets exit 2 and one line that names the argument, the value and what was expected;
// nothing is printed to standard output and no file is left behind.
#include "tests/catch.hpp"
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

using Words = std::vector<std::string>;

// A folder with one file of each bad kind.
struct Folder : TemporaryFolder {
  Folder() {
    write("empty.txt", "");
    write("one.txt", "a");
    write("same.txt", "aaaaaaaa");
    write("binary.txt", std::string("ab\0cd", 5));
    write("good.txt", "abracadabra");
    write("cut.tsv", "# popgrad bigram counts, format 1\n# source: x\n");
    write("unknown.toml", "[data]\nvocb = 10\n");
    write("type.toml", "[data]\nvocab = \"ten\"\n");
    write("broken.toml", "[data\nvocab = 10\n");
    write("file", "a file where a folder should be");
    write("garbage.json", "not json at all");
    write("other.json", "{\"format\": \"something-else\", \"version\": 1}");
    write("future.json", "{\"format\": \"popgrad-results\", \"version\": 99}");
    std::filesystem::create_directory(path() / "folder");
  }
};

void check_refused(const Folder& folder, const Words& arguments, const Words& said) {
  std::string command;
  for (const std::string& word : arguments) command += " " + word;
  const auto before = folder.contents();
  RunSetup setup;
  setup.folder = folder.path();
  const Finished run = run_popgrad(arguments, setup);
  INFO("popgrad" << command << "\n" << run.err);
  CHECK(run.code == 2);
  CHECK(lines(run.err) == 1);
  CHECK(run.err.starts_with("popgrad: "));
  for (const std::string& part : said) {
    INFO("says '" << part << "'");
    CHECK(contains(run.err, part));
  }
  CHECK(run.out.empty());
  CHECK(folder.contents() == before);
}

}  // namespace

TEST_CASE("unknown claims, verbs, options and missing arguments are refused") {
  const Folder folder;
  check_refused(folder, {"verify", "L9.nope"}, {"claim", "'L9.nope'", "expected the id of a claim"});
  check_refused(folder, {"verify", "L2.filtr", "--out", "new"}, {"'L2.filtr'", "did you mean 'L2.filter'?"});
  check_refused(folder, {"claims", "nope"}, {"'nope'", "expected the id of a claim"});
  check_refused(folder, {"verfiy"},
                {"verb", "'verfiy'", "verify, claims, gradient, fit, steps, train", "did you mean 'verify'?"});
  check_refused(folder, {""}, {"verb", "''", "expected one of"});
  check_refused(folder, {}, {"verb", "nothing", "expected one of"});
  check_refused(folder, {"verify", "--conjectures", ""}, {"--conjectures", "''", "a value"});
  check_refused(folder, {"gradient", "--stage", "2", "--degree="}, {"--degree", "''", "a value"});
  check_refused(folder, {"emergence", "--without", "key,key", "--out", "new"}, {"--without", "'key' twice", "every word once"});
  check_refused(folder, {"gradient", "--stage", "2", "--symbolic", "N", "--out", "new"}, {"--out", "functions of N", "-N as well"});
  check_refused(folder, {"verify", "--levle", "0.1"}, {"--levle", "expected an option", "did you mean '--level'?"});
  check_refused(folder, {"--seed", "3", "verify"}, {"--seed", "expected a verb first"});
  check_refused(folder, {"corpus", "good.txt", "file"}, {"'file' in excess", "expected"});
  check_refused(folder, {"corpus"}, {"FILE", "required"});
  check_refused(folder, {"verify", "--config"}, {"--config"});
  check_refused(folder, {"train"}, {"--out", "expected a folder for the run"});
}

TEST_CASE("sizes that the task does not have are refused, with the option as it was typed") {
  const Folder folder;
  check_refused(folder, {"verify", "T3.step1", "-N", "1", "--out", "new"}, {"-N", "'1'", "expected an integer from 2"});
  check_refused(folder, {"verify", "-N", "0"}, {"-N", "'0'", "an integer from 2"});
  check_refused(folder, {"verify", "-N", "-4"}, {"-N", "'-4'", "an integer from 2"});
  check_refused(folder, {"verify", "-N", "four"}, {"-N", "'four'", "an integer from 2"});
  check_refused(folder, {"verify", "-N", "4.5"}, {"-N", "'4.5'", "an integer from 2"});
  check_refused(folder, {"verify", "-N", "99999999999999999999"}, {"-N", "'99999999999999999999'", "an integer from 2"});
  check_refused(folder, {"verify", "T3.step1", "-T", "3", "--out", "new"}, {"-T", "'3'", "expected an integer from 4"});
  check_refused(folder, {"verify", "-d", "0"}, {"-d", "'0'", "an integer from 1"});
  check_refused(folder, {"verify", "--seed", "-1"}, {"--seed", "'-1'", "an integer >= 0"});
  check_refused(folder, {"verify", "--threads", "0"}, {"--threads", "'0'", "an integer from 1"});
  for (const std::string verb : {"verify", "compare"})
    for (const std::string level : {"1", "0.5", "0.051", "0", "nan"})
      check_refused(folder, {verb, "folder", "--level", level}, {"--level", "'" + level + "'", "a number in (0, 0.05]"});
  check_refused(folder, {"train", "--out", "new", "--set", "train.steps=-5"}, {"train.steps", "'-5'", "an integer >= 1"});
  check_refused(folder, {"train", "--out", "new", "--set", "data.triggers_count=66"},
                {"data.triggers_count", "66", "N = 65"});
  check_refused(folder, {"train", "--out", "new", "--set", "train.rate=0"}, {"train.rate", "'0'", "a number > 0"});
  check_refused(folder, {"train", "--out", "new", "--set", "init.tok.kind=orthonormal", "-d", "8"},
                {"init.tok.kind", "65 rows", "d = 8"});
  check_refused(folder, {"train", "--out", "new", "-N", "10"}, {"data.vocab", "10", "65"});
}

TEST_CASE("a corpus that is empty, missing, binary, too short or a folder is refused by every verb that reads one") {
  const Folder folder;
  for (const auto& [file, problem] : {std::pair{"empty.txt", "empty"},
                                      {"one.txt", "one character long"},
                                      {"same.txt", "only the character"},
                                      {"binary.txt", "binary"},
                                      {"missing.txt", "no such file"},
                                      {"folder", "not a file"}}) {
    const std::string set = std::string("data.corpus=") + file;
    check_refused(folder, {"corpus", file}, {"FILE", file, problem, "expected"});
    check_refused(folder, {"corpus", file, "--out", "new.tsv"}, {"FILE", file, problem, "expected"});
    check_refused(folder, {"verify", "L1", "--set", set, "--out", "new"}, {"data.corpus", file, problem, "expected"});
    check_refused(folder, {"train", "--set", set, "--out", "new"}, {"data.corpus", file, problem, "expected"});
  }
  check_refused(folder, {"verify", "L1", "--set", "data.corpus=cut.tsv"}, {"data.corpus 'cut.tsv'", "line 2", "expected"});
  check_refused(folder, {"verify", "L1", "--set", "data.corpus="}, {"data.corpus", "''", "a text that is not empty"});
}

TEST_CASE("a TOML file with an unknown key, a wrong type, broken syntax, or none at all is refused") {
  const Folder folder;
  for (const std::string verb : {"verify", "train"}) {
    check_refused(folder, {verb, "--config", "unknown.toml", "--out", "new"},
                  {"unknown.toml:2: unknown key 'data.vocb'; did you mean 'data.vocab'?"});
    check_refused(folder, {verb, "--config", "type.toml", "--out", "new"},
                  {"type.toml:2: data.vocab", "'ten'", "expected an integer"});
    check_refused(folder, {verb, "--config", "broken.toml", "--out", "new"}, {"broken.toml:1", "not valid TOML"});
    check_refused(folder, {verb, "--config", "missing.toml", "--out", "new"},
                  {"--config", "'missing.toml'", "no such file"});
    check_refused(folder, {verb, "--config", "folder", "--out", "new"}, {"--config", "'folder'", "not a file"});
  }
  check_refused(folder, {"verify", "--set", "data.vocb=10"}, {"--set", "'data.vocb'", "did you mean 'data.vocab'?"});
  check_refused(folder, {"verify", "--set", "data.vocab"}, {"--set", "'data.vocab'", "key=value"});
  check_refused(folder, {"verify", "--set", "train.rate=1"}, {"train.rate", "'1'", "a key that 'verify' reads"});
}

TEST_CASE("an output folder that cannot be written to is refused before the work starts") {
  const Folder folder;
  for (const std::string verb : {"verify", "train"}) {
    check_refused(folder, {verb, "--out", "file"}, {"--out", "'file'", "a folder that can be written to"});
    check_refused(folder, {verb, "--out", "file/sub"}, {"--out", "'file/sub'", "a folder that can be written to"});
  }
  check_refused(folder, {"verify", "--out", "/proc/nope"}, {"--out", "'/proc/nope'", "a folder that can be written to"});
  check_refused(folder, {"corpus", "good.txt", "--out", "folder"}, {"--out", "'folder'", "a file that can be written"});
  check_refused(folder, {"corpus", "good.txt", "--out", "none/new.tsv"},
                {"--out", "'none/new.tsv'", "a file that can be written"});
}

TEST_CASE("a baseline or results file that is none is refused before the work starts") {
  const Folder folder;
  for (const auto& [file, problem] : {std::pair{"garbage.json", "not JSON"},
                                      {"other.json", "format is 'something-else'"},
                                      {"future.json", "version is 99"},
                                      {"missing.json", "no such file"}}) {
    check_refused(folder, {"verify", "T3.step1", "--baseline", file, "--out", "new"},
                  {"--baseline", file, problem, "expected"});
    check_refused(folder, {"report", file}, {"RESULTS", file, problem, "expected"});
  }
  check_refused(folder, {"report", "folder"}, {"RESULTS", "'folder'", "neither results.json nor metrics.jsonl"});
}

TEST_CASE("rates, optimizers and learned tables that make no sense are refused before anything is written") {
  const Folder folder;
  const auto set = [&](const char* one, const Words& said) { check_refused(folder, {"train", "--out", "new", "--set", one}, said); };
  set("train.rates=[[0, 0.1]]", {"train.rates", "[0,0.1]", "steps >= 1"});
  set("train.rates=[[9, 0.1], [3, 0.2]]", {"train.rates", "[3,0.2]", "increase"});
  set("train.rates=0.1", {"train.rates", "'0.1'", "a list of [step, rate]"});
  set("train.optimizer=adam", {"train.optimizer", "'adam'", "sgd or adamw", "did you mean 'adamw'?"});
  set("train.beta1=1", {"train.beta1", "'1'", "[0, 1)"});
  set("train.epsilon=0", {"train.epsilon", "'0'", "> 0"});
  set("freeze.tok=5", {"freeze.tok", "5", "learn.tok"});
  set("learn.tok=yes", {"learn.tok", "'yes'", "true or false"});
  set("train.snapshot_every=-1", {"train.snapshot_every", "'-1'", "an integer >= 0"});
  folder.write("run.toml", "format = \"popgrad-run-1\"\n");
  check_refused(folder, {"train", "--config", "run.toml", "--out", "new"}, {"run.toml:1: format", "'popgrad-run-1'", "'popgrad-run-2'"});
}

TEST_CASE("compare and resume need a run") {
  const Folder folder;
  check_refused(folder, {"compare"}, {"RUN", "required"});
  check_refused(folder, {"compare", "folder"}, {"'folder'", "no config.toml"});
  check_refused(folder, {"compare", "missing"}, {"'missing'"});
  check_refused(folder, {"train", "--resume", "--out", "folder"}, {"--out", "'folder'", "no config.toml"});
}

TEST_CASE("what the user typed cannot break the one line") {
  const Folder folder;
  check_refused(folder, {"verify", "a\nb"}, {"a b"});
  check_refused(folder, {"verify", "--config", "no\r\nfile"}, {"no  file"});
}
