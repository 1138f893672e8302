// Runs that are killed, or whose disk is full, and go on.
#include <cstdlib>
#include <functional>

#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tiny_run.hpp"

using namespace popgrad;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The step of a checkpoint, from its header.
std::int64_t step_in(const std::string& file) {
  const std::string text = text_of(file);
  const std::size_t at = text.find("\"step\":\"");
  REQUIRE(at != std::string::npos);
  return std::stoll(text.substr(at + 8));
}

bool has_unfinished(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".tmp") return true;
  return false;
}

// Every file of a run by its name.
std::map<std::string, std::string> files_of(const fs::path& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(run))
    if (entry.is_regular_file()) files[fs::relative(entry.path(), run).string()] = text_of(entry.path());
  return files;
}

void check_same_run(const fs::path& a, const fs::path& b) {
  const auto ours = files_of(a), theirs = files_of(b);
  CHECK(ours.size() >= 6);
  for (const auto& [name, text] : ours) {
    INFO(name);
    CHECK(theirs.contains(name));
    CHECK((theirs.contains(name) && theirs.at(name) == text));
  }
  CHECK(ours.size() == theirs.size());
}

const Words often = {"--set", "train.checkpoint_every=3", "--set", "train.snapshot_every=40"};

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("a run that is killed again and again, while it writes too, ends with the bits of one that was not") {
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  int before = 0;  // lines of the log when a process started
  const auto lines_are = [&](int n) { return [&, n](int) { return lines(text_of(run + "/metrics.jsonl")) >= before + n; }; };
  const auto is_there = [&](const std::string& name) { return [&, name](int) { return fs::exists(run + "/" + name); }; };
  // By its temporary name, which is there for a moment at every step; or not seen in 200 steps, and killed all the same.
  const auto is_written = [&](int process) {
    return fs::exists(run + "/latest.safetensors." + std::to_string(process) + ".tmp") || lines_are(40)(process);
  };
  const std::vector<std::function<bool(int)>> moments = {
      is_there("config.toml"), is_there("first_gradient.safetensors"), lines_are(3), is_written, lines_are(9), is_written, lines_are(20)};
  // A process that writes all the time is soon caught writing.
  const Words always = {"--set", "train.checkpoint_every=1", "--set", "train.snapshot_every=40"};
  bool begun = false;
  for (const auto& moment : moments) {
    RunSetup setup;
    setup.kill_when = moment;
    before = lines(text_of(run + "/metrics.jsonl"));
    const Words steps = {"--set", "train.steps=100000000"};
    const Finished killed = run_popgrad(begun ? resume(run) : tiny_train(run, joined(always, steps)), setup);
    INFO(killed.err);
    REQUIRE(killed.code == 1000 + 9);
    begun = true;
  }
  const std::string steps = "train.steps=" + std::to_string(step_in(run + "/latest.safetensors") + 7);
  const Finished finished = run_popgrad(resume(run, {"--set", steps}));
  INFO(finished.err);
  REQUIRE(finished.code == 0);
  REQUIRE(run_popgrad(tiny_train(folder / "whole", joined(always, {"--set", steps}))).code == 0);
  check_same_run(run, folder / "whole");
}

TEST_CASE("killed before config.toml was there, which is written last: the same command starts the run again") {
  const TemporaryFolder folder;
  const std::string run = folder / "run";
  const Words command = tiny_train(run, joined(often, {"--set", "train.steps=6"}));
  REQUIRE(run_popgrad(command).code == 0);
  fs::copy(run, folder / "whole", fs::copy_options::recursive);
  for (const char* name : {"config.toml", "metrics.jsonl", "summary.json"}) fs::remove(run + "/" + name);
  folder.write("run/metrics.jsonl.4711.tmp", "{\"step\":");
  const Finished refused = run_popgrad(resume(run));
  CHECK(refused.code == 2);
  CHECK(lines(refused.err) == 1);
  CHECK(contains(refused.err, "no config.toml"));
  CHECK(run_popgrad(command).code == 0);
  check_same_run(run, folder / "whole");
}

TEST_CASE("config.toml repeats the run with the same bits in every file") {
  const TemporaryFolder folder;
  REQUIRE(run_popgrad(tiny_train(folder / "a", {"--set", "train.steps=12", "--set", "train.rates=[[5, 0.05]]", "--set", "learn.tok=true",
                                                "--set", "train.optimizer=adamw", "--seed", "9", "--set", "train.snapshot_every=5"}))
              .code == 0);
  const Finished again = run_popgrad({"train", "--config", folder / "a/config.toml", "--out", folder / "b", "--no-figures"});
  INFO(again.err);
  CHECK(again.code == 0);
  check_same_run(folder / "a", folder / "b");
  // With a corpus: its counts lie beside config.toml, which names them.
  folder.write("text.txt", "abracadabra abracadabra hocus pocus");
  const Words corpus = {"--set", "data.corpus=" + (folder / "text.txt").string(), "--set", "data.triggers_count=2", "-T", "12", "-d", "8",
                        "--set", "train.steps=3", "--set", "train.batch=4", "--no-figures"};
  REQUIRE(run_popgrad(joined({"train", "--out", folder / "c"}, corpus)).code == 0);
  fs::remove(folder / "text.txt");
  REQUIRE(run_popgrad({"train", "--config", folder / "c/config.toml", "--out", folder / "d", "--no-figures"}).code == 0);
  check_same_run(folder / "c", folder / "d");
}

TEST_CASE("a file that may not grow: one line, exit code 5, nothing half-written, and the run goes on to the same bits") {
  const TemporaryFolder folder;
  const Words steps = {"--set", "train.steps=60"};
  REQUIRE(run_popgrad(tiny_train(folder / "whole", joined(often, steps))).code == 0);
  const std::string run = folder / "run";
  const auto size = [&](const char* name) { return static_cast<std::int64_t>(fs::file_size(folder / (std::string("whole/") + name))); };
  // Every tensor file fits, the log does not.
  RunSetup setup;
  setup.file_size_limit = std::max(size("initial.safetensors"), size("first_gradient.safetensors")) + 100;
  REQUIRE(setup.file_size_limit < size("metrics.jsonl"));
  const auto check_full = [&](const Words& words) {
    const Finished full = run_popgrad(words, setup);
    INFO(full.err);
    CHECK(full.code == 5);
    CHECK(lines(full.err) == 1);
    CHECK(contains(full.err, "popgrad: cannot write "));
    CHECK_FALSE(has_unfinished(run));
    CHECK_FALSE(has_unfinished(run + "/checkpoints"));
    const std::string log = text_of(run + "/metrics.jsonl");
    CHECK((log.empty() || log.back() == '\n'));
  };
  check_full(tiny_train(run, joined(often, steps)));
  check_full(resume(run));
  // The state does not fit either: the old one stays.
  const std::string before = text_of(run + "/latest.safetensors");
  setup.file_size_limit = size("latest.safetensors") - 1;
  CHECK(run_popgrad(resume(run), setup).code == 5);
  CHECK(text_of(run + "/latest.safetensors") == before);
  CHECK(run_popgrad(resume(run)).code == 0);
  check_same_run(run, folder / "whole");
  // No run fits at all: nothing is left of it.
  setup.file_size_limit = size("initial.safetensors") / 2;
  const Finished none = run_popgrad(tiny_train(folder / "none", steps), setup);
  CHECK(none.code == 5);
  CHECK(lines(none.err) == 1);
  CHECK((!fs::exists(folder / "none") || fs::is_empty(folder / "none")));
}

TEST_CASE("a full disk: one line, exit code 5, and what is on it goes on to the same bits") {
  if (std::system("unshare -rm mount -t tmpfs none /mnt 2>/dev/null") != 0) {
    WARN("no file system can be mounted here: not tested");
    return;
  }
  const TemporaryFolder folder;
  const Words steps = {"--set", "train.steps=60"};
  REQUIRE(run_popgrad(tiny_train(folder / "whole", joined(often, steps))).code == 0);
  const std::string at = folder.path().string();
  std::string command = "'" POPGRAD_BINARY "'";
  for (const std::string& word : tiny_train(at + "/disk/run", joined(often, steps))) command += " '" + word + "'";
  fs::create_directory(folder / "disk");
  folder.write("script", "mount -t tmpfs -o size=40k none " + at + "/disk\n" + command + " > " + at + "/out 2> " + at +
                             "/err\necho $? > " + at + "/code\ncp -a " + at + "/disk/run " + at + "/run\n");
  REQUIRE(std::system(("unshare -rm sh " + at + "/script").c_str()) == 0);
  const std::string err = text_of(folder / "err");
  INFO(err);
  CHECK(text_of(folder / "code") == "5\n");
  CHECK(lines(err) == 1);
  CHECK(contains(err, "popgrad: cannot write "));
  CHECK_FALSE(has_unfinished(folder / "run"));
  const Finished resumed = run_popgrad(resume(folder / "run"));
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  check_same_run(folder / "run", folder / "whole");
}
