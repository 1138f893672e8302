// popgrad sweep as a user meets it: grids, resumption, the same bits for any number of threads, bad input.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

using Words = std::vector<std::string>;

// Two settings and a variant of each, two seeds: eight runs of a second in all.
const std::string tiny = R"toml(
[run]
seed = [3, 4]
[data]
task = "minimal"
vocab = 4
length = 6
[model]
dim = 8
[train]
steps = 20
batch = 4
eval_every = 5
eval_sequences = 8
checkpoint_every = 5
rate = [0.0005, 0.0009]
[[variant]]
name = "together"
[[variant]]
name = "gated"
freeze.wo2 = 10
)toml";

Finished sweep(const TemporaryFolder& folder, const std::string& out, Words more = {}, RunSetup setup = {}) {
  Words words = {"sweep", folder / "sweep.toml", "--out", folder / out};
  words.insert(words.end(), more.begin(), more.end());
  return run_popgrad(words, setup);
}

// Bytes of everything that a run's result consists of.
std::map<std::string, std::string> results(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files[std::filesystem::relative(entry.path(), folder).string()] = text_of(entry.path());
  return files;
}

}  // namespace

TEST_CASE("a sweep trains every setting with every seed, in ordinary run folders that round nothing, and shows intervals") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  const Finished run = sweep(folder, "out");
  INFO(run.out << run.err);
  REQUIRE(run.code == 0);
  CHECK(run.err.empty());
  for (const char* name :
       {"together,train.rate=0.0005,seed=3", "together,train.rate=0.0009,seed=4", "gated,train.rate=0.0005,seed=4"})
    CHECK(std::filesystem::is_directory(folder.path() / "out" / "runs" / name));
  CHECK(contains(run.out, "gated train.rate=0.0009"));
  CHECK(contains(run.out, "±"));
  CHECK(lines(text_of(folder / "out/sweep.tsv")) == 5);
  const auto json = nlohmann::json::parse(text_of(folder / "out/sweep.json"));
  CHECK(json["runs"].size() == 8);
  REQUIRE(json["table"].size() == 4);
  // The mean and the interval, again, from the runs: t_{1, 0.975} = 12.7062047.
  for (std::size_t s = 0; s < 4; ++s) {
    const double a = json["runs"][2 * s]["final"]["loss"], b = json["runs"][2 * s + 1]["final"]["loss"];
    const auto& loss = json["table"][s]["final"]["loss"];
    CHECK(loss["n"] == 2);
    CHECK(loss["mean"].get<double>() == Approx((a + b) / 2).epsilon(1e-12));
    const double half = 12.7062047 * std::abs(a - b) / 2;
    CHECK(loss["interval"][1].get<double>() == Approx((a + b) / 2 + half).epsilon(1e-7));
    CHECK(json["table"][s]["rise"]["wo2"]["fraction"].size() == 2);
  }
  const Finished report = run_popgrad({"report", folder / "out/runs/gated,train.rate=0.0009,seed=4", "--quiet"});
  CHECK(report.code == 0);
  CHECK(contains(report.out, "seed 4"));
}

TEST_CASE("a run of a sweep has the bits of popgrad train, --threads 1 and 2 give the same files") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  REQUIRE(sweep(folder, "one", {"--threads", "1"}).code == 0);
  REQUIRE(sweep(folder, "two", {"--threads", "2"}).code == 0);
  const auto one = results(folder / "one"), two = results(folder / "two");
  CHECK(one.size() > 8 * 5);
  CHECK(one == two);
  folder.write("run.toml",
               "[run]\nseed = 4\n[data]\ntask = \"minimal\"\nvocab = 4\nlength = 6\n[model]\ndim = 8\n[train]\nsteps = "
               "20\nbatch = 4\n"
               "eval_every = 5\neval_sequences = 8\ncheckpoint_every = 5\nrate = 0.0009\n[freeze]\nwo2 = 10\n");
  REQUIRE(run_popgrad({"train", "--config", folder / "run.toml", "--no-figures", "--out", folder / "run"}).code == 0);
  const std::string name = "one/runs/gated,train.rate=0.0009,seed=4/";
  for (const char* file : {"metrics.jsonl", "latest.safetensors", "initial.safetensors"})
    CHECK(text_of(folder / "run" / file) == text_of(folder / name / file));
}

TEST_CASE("a sweep that was interrupted goes on to the bits of one that was not, finished runs are kept") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  const Words steps = {"--set", "train.steps=1500",           "--set",     "train.eval_every=500",
                       "--set", "train.checkpoint_every=500", "--threads", "1"};
  RunSetup interrupted;
  interrupted.interrupt_when_not_empty = folder / "out/runs/together,train.rate=0.0009,seed=3/metrics.jsonl";
  const Finished stopped = sweep(folder, "out", steps, interrupted);
  INFO(stopped.out << stopped.err);
  REQUIRE(stopped.code == 130);
  CHECK(contains(stopped.out, "the same command continues"));
  const auto kept =
      std::filesystem::last_write_time(folder.path() / "out/runs/together,train.rate=0.0005,seed=3/metrics.jsonl");
  const Finished resumed = sweep(folder, "out", steps);
  INFO(resumed.out << resumed.err);
  REQUIRE(resumed.code == 0);
  CHECK(std::filesystem::last_write_time(folder.path() / "out/runs/together,train.rate=0.0005,seed=3/metrics.jsonl") ==
        kept);
  REQUIRE(sweep(folder, "whole", steps).code == 0);
  CHECK(results(folder / "out") == results(folder / "whole"));
  // And once more: nothing is left to do, the table is the same.
  const Finished again = sweep(folder, "out", steps);
  CHECK(again.code == 0);
  CHECK(again.out == resumed.out);
}

TEST_CASE("a sweep killed at any moment goes on: half-made runs, half-written files, a run folder that was removed") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  REQUIRE(sweep(folder, "whole").code == 0);
  std::filesystem::copy(folder / "whole", folder / "out", std::filesystem::copy_options::recursive);
  // As after a kill: some runs not begun, one without a whole folder, one at an earlier step, sweep.json from before their
  // end.
  auto json = nlohmann::ordered_json::parse(text_of(folder / "out/sweep.json"));
  json.erase("table");
  json.erase("level");
  for (std::size_t i = 1; i < 8; ++i) json["runs"][i]["status"] = "pending";
  folder.write("out/sweep.json", json.dump(2) + "\n");
  folder.write("out/sweep.json.123.tmp", "{");
  std::filesystem::remove_all(folder / "out/runs/gated,train.rate=0.0009,seed=4");
  for (const char* name : {"config.json", "config.toml"})
    std::filesystem::remove(folder / "out/runs/gated,train.rate=0.0009,seed=3" / name);
  std::filesystem::remove_all(folder / "out/runs/together,train.rate=0.0005,seed=3");  // said to be finished, and gone
  const Finished run = sweep(folder, "out");
  INFO(run.out << run.err);
  REQUIRE(run.code == 0);
  CHECK(results(folder / "out") == results(folder / "whole"));
}

TEST_CASE("a damaged run stops the sweep with its name, whether it was finished or not") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  REQUIRE(sweep(folder, "out").code == 0);
  const std::string name = "gated,train.rate=0.0009,seed=3";
  for (const char* file : {"config.json", "config.toml"})
    if (std::filesystem::exists((folder / ("out/runs/" + name)) / file)) folder.write("out/runs/" + name + "/" + file, "= garbage");
  for (const bool finished : {true, false}) {
    if (!finished) {
      std::string state = text_of(folder / "out/sweep.json");
      const std::size_t at = state.find("\"finished\"", state.find(name));
      folder.write("out/sweep.json", state.replace(at, 10, "\"pending\""));
    }
    const Finished run = sweep(folder, "out");
    INFO(run.out << run.err);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(contains(run.err, name));
    CHECK(contains(run.err, "config."));
  }
}

TEST_CASE("a diverging setting is counted and does not stop the others") {
  const TemporaryFolder folder;
  std::string text = tiny;
  text.replace(text.find("[0.0005, 0.0009]"), 16, "[0.1, 1e300]");
  folder.write("sweep.toml", text);
  const Finished run = sweep(folder, "out");
  INFO(run.out << run.err);
  REQUIRE(run.code == 0);
  CHECK(contains(run.out, "note: run 'together,train.rate=1e+300,seed=3' diverged: "));
  const auto json = nlohmann::json::parse(text_of(folder / "out/sweep.json"));
  CHECK(json["table"][0]["diverged"] == 0);
  CHECK(json["table"][1]["diverged"] == 2);
  CHECK(json["table"][1]["final"]["loss"]["n"] == 0);
  CHECK(json["table"][1]["final"]["loss"]["mean"].is_null());
  CHECK(json["table"][1]["diverged_fraction"][0].get<double>() == Approx(std::sqrt(0.025)).epsilon(1e-9));
  CHECK(sweep(folder, "out").out == run.out);  // known from sweep.json, not found again
}

TEST_CASE("a list of settings and runs makes nothing") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  const auto before = folder.contents();
  const Finished run = sweep(folder, "out", {"--list"});
  CHECK(run.code == 0);
  CHECK(contains(run.out,
                 "together train.rate=0.0005: 20 updates of 4 sequences\n  runs/together,train.rate=0.0005,seed=3\n"));
  CHECK(contains(run.out, "4 settings x 2 seeds = 8 runs\n"));
  CHECK(folder.contents() == before);
}

TEST_CASE("the folder of another grid, of something else, or of a sweep at work is refused, with the first difference") {
  const TemporaryFolder folder;
  folder.write("sweep.toml", tiny);
  REQUIRE(sweep(folder, "out").code == 0);
  const auto before = results(folder / "out");
  const auto refused = [&](const std::string& text, const std::string& out, const std::string& said) {
    folder.write("sweep.toml", text);
    const Finished run = sweep(folder, out);
    INFO(run.err);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(contains(run.err, said));
    CHECK(run.out.empty());
    CHECK(results(folder / "out") == before);
  };
  const auto with = [](std::string what, const std::string& by) {
    std::string text = tiny;
    return text.replace(text.find(what), what.size(), by);
  };
  refused(with("steps = 20", "steps = 21"), "out",
          "another grid (setting 'together train.rate=0.0005': train.steps 20, here 21)");
  refused(with("[3, 4]", "[3, 5]"), "out", "another grid (seeds [3,4], here [3,5])");
  refused(with("0.0009", "0.00090001"), "out", "train.rate 0.0009, here 0.00090001");
  refused(with("[0.0005, 0.0009]", "[0.0005]"), "out", "another grid (setting 'gated train.rate=0.0005'");
  refused(with("freeze.wo2 = 10", "freeze.wo2 = 11"), "out", "freeze.wo2 10, here 11");
  std::filesystem::create_directory(folder / "other");
  folder.write("other/thesis.tex", "years of work");
  refused(tiny, "other", "it holds 'thesis.tex' and no sweep");
  refused(tiny, "sweep.toml", "(a file)");
  const int at_work = open((folder / "out").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(at_work, LOCK_EX) == 0);
  refused(tiny, "out", "(another process is at work on it)");
  close(at_work);
  folder.write("other/sweep.json", "{}");
  refused(tiny, "other", "--out: got no sweep");
}

TEST_CASE("bad sweep files get one line with their place") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const Words& said, const Words& more = {}) {
    folder.write("sweep.toml", text);
    const auto before = folder.contents();
    const Finished run = sweep(folder, "out", more);
    INFO(text << "\n" << run.err);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(run.err.starts_with("popgrad: "));
    for (const std::string& part : said) {
      INFO("says '" << part << "'");
      CHECK(contains(run.err, part));
    }
    CHECK(run.out.empty());
    CHECK(folder.contents() == before);
  };
  refused("[train]\nrate = []\n", {"sweep.toml:2: train.rate", "an empty list", "at least one value"});
  refused("[run]\nseed = []\n", {"sweep.toml:2: run.seed", "an empty list"});
  refused("[run]\nseed = \"3..2\"\n", {"run.seed", "'3..2'", "a range of 1 to"});
  refused("[run]\nseed = [1, 2, 1]\n", {"run.seed, value 3", "1 a second time", "every seed once"});
  refused("[run]\nseed = -1\n", {"run.seed", "-1", "an integer >= 0"});
  refused("[train]\nraet = [0.1]\n", {"sweep.toml:2: unknown key 'train.raet'", "did you mean 'train.rate'?"});
  refused("[train]\nrate = [0.1, \"fast\"]\n", {"sweep.toml:2: train.rate, value 2", "'fast'", "a number > 0"});
  refused("[train]\nrate = [0.1, [0.2]]\n", {"train.rate, value 2", "a list"});
  refused("[train]\nsteps = [10, 2.5]\n", {"train.steps, value 2", "2.5", "an integer"});
  refused("[data]\noutputs = [\"uniform\", \"bigrams\"]\n",
          {"data.outputs, value 2", "'bigrams'", "did you mean 'bigram'?"});
  refused("[train]\nrate = [0.1, 1e-1]\n", {"settings 'train.rate=0.1' and 'train.rate=0.1'", "the same runs"});
  refused("[data]\nbackground = [\"any\", \"avoid\"]\n", {"the same runs"});  // nothing to the bigram task
  refused("[data]\nvocab = [65, 10]\n", {"setting 'data.vocab=10'", "data.vocab", "no value in the bigram task"});
  refused("[data]\ntriggers_count = [5, 70]\n", {"setting 'data.triggers_count=70'", "data.triggers_count", "70"});
  refused("[data]\ncorpus = [\"nowhere.txt\"]\n", {"data.corpus", "nowhere.txt", "no such file"});
  refused("[flow]\nrate = 0.1\n", {"sweep.toml:2: flow.rate", "a key that training does not read"});
  refused("[run]\nthreads = 2\n", {"run.threads", "popgrad sweep --threads"});
  refused("[[variant]]\nfreeze.wo2 = 3\n", {"variant.name", "nothing", "a name in quotes"});
  refused("[[variant]]\nname = \"a b\"\n", {"variant.name", "'a b'", "letters, digits"});
  refused("[[variant]]\nname = \"a\"\n[[variant]]\nname = \"a\"\nfreeze.wo2 = 3\n",
          {"sweep.toml:4: variant.name", "'a' a second time"});
  refused("[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n", {"settings 'a' and 'b'", "the same runs"});
  refused("[[variant]]\nname = \"a\"\nfreeze.wo3 = 3\n", {"unknown key 'freeze.wo3'", "did you mean 'freeze.wo2'?"});
  refused("[[variant]]\nname = \"a\"\nfreeze.wo2 = [1, 2]\n", {"freeze.wo2", "a list in a variant"});
  refused("[[variant]]\nname = \"a\"\nrun.seed = 2\n", {"run.seed", "a seed in a variant"});
  refused("[train]\nrate = [0.1, 0.2]\n[[variant]]\nname = \"a\"\ntrain.rate = 0.3\n",
          {"train.rate", "a key that the grid varies, in variant 'a'"});
  refused("[variant]\nname = \"a\"\n", {"variant", "[[variant]] with two brackets"});
  refused("variant = []\n", {"variant", "an empty list"});
  refused("[train\n", {"sweep.toml:1: not valid TOML"});
  refused(tiny, {"--threads", "'0'", "an integer from 1"}, {"--threads", "0"});
  refused(tiny, {"--set train.rate", "a key that the sweep does not vary itself"}, {"--set", "train.rate=1"});
  refused(tiny, {"--set run.seed", "no seed"}, {"--set", "run.seed=1"});
  CHECK(contains(run_popgrad({"sweep", folder / "none.toml", "--out", folder / "out"}).err, "none.toml' (no such file)"));
  CHECK(contains(run_popgrad({"sweep", folder / "sweep.toml"}).err, "--out: got nothing"));
}
