// What a run leaves behind: snapshots, checkpoints that are refused, records that no cadence can change.
#include "numerics/training_run.hpp"

#include <cmath>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_files.hpp"
#include "numerics/safetensors.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/run_fixture.hpp"

namespace popgrad {
namespace {

using fixture::TemporaryFolder;
namespace fs = std::filesystem;

using fixture::bytes;
using fixture::complaint;
using fixture::lines_by_step;
using fixture::run_it;

TEST_CASE("evaluations, checkpoints and snapshots change nothing: same weights, same lines at common steps") {
  const TemporaryFolder folder("cadence");
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adamw}) {
    fs::remove_all(folder / "");
    TrainOptions often = fixture::small_bigram();
    often.optimizer = kind;
    often.eval_every = often.checkpoint_every = often.snapshot_every = 1;
    TrainOptions seldom = often;
    seldom.eval_every = 10;
    seldom.checkpoint_every = 7;
    seldom.snapshot_every = 0;
    run_it(often, folder / "often");
    run_it(seldom, folder / "seldom");
    CHECK(bytes(folder / "often" / "latest.safetensors") == bytes(folder / "seldom" / "latest.safetensors"));
    const auto all = lines_by_step(folder / "often" / "metrics.jsonl"), some = lines_by_step(folder / "seldom" / "metrics.jsonl");
    CHECK(all.size() == 21);
    REQUIRE(some.size() == 3);
    for (const auto& [step, line] : some) CHECK(all.at(step) == line);
  }
}

TEST_CASE("AdamW, learned embeddings and a list of rates: a run in parts has the bits of a run in one piece") {
  const TemporaryFolder folder("everything");
  TrainOptions options = fixture::small_bigram();
  options.optimizer = OptimizerKind::adamw;
  options.rate = 0.01;
  options.rates = {{4, 0.02}, {13, 0.005}};
  options.learn = {true, true, true};
  options.freeze.wk1 = options.freeze.out = 8;
  options.model.feed_forward = true;
  options.snapshot_every = 6;
  run_it(options, folder / "whole");
  for (const std::int64_t stop : {3, 9, 14, 20}) {
    std::atomic<bool> flag{false};
    TrainHooks hooks;
    hooks.stop = &flag;
    hooks.progress = [&](const TrainProgress& progress) { flag = progress.step >= stop; };
    train(options, fixture::small_corpus(), folder / "parts", stop != 3, hooks);
  }
  for (const char* file : {"latest.safetensors", "initial.safetensors", "first_gradient.safetensors", "metrics.jsonl",
                           "summary.json", "config.toml", "checkpoints/step-000012.safetensors"}) {
    INFO(file);
    CHECK(bytes(folder / "whole" / file) == bytes(folder / "parts" / file));
  }
}

TEST_CASE("snapshots are kept at step 0, on the schedule and at the end, and read back to the model of that step") {
  const TemporaryFolder folder("snapshots");
  TrainOptions options = fixture::small_bigram();
  options.snapshot_every = 6;
  options.learn.pos = true;
  run_it(options, folder / "run");
  const RunFolder run = RunFolder::open(folder / "run");
  CHECK(run.snapshots() == std::vector<std::int64_t>{0, 6, 12, 18, 20});
  Trainer trainer(options, fixture::small_corpus());
  CHECK(run.model(run.snapshot(0)).frozen.tok == trainer.model().frozen.tok);
  for (int i = 0; i < 12; ++i) trainer.update();
  const FiniteModel model = run.model(run.snapshot(12));
  CHECK(model.trained.wk2 == trainer.model().trained.wk2);
  CHECK(model.frozen.pos == trainer.model().frozen.pos);
  CHECK(model.frozen.out == trainer.model().frozen.out);
  CHECK(bytes(folder / "run" / "checkpoints" / "step-000020.safetensors").size() > 0);
  CHECK_THROWS_AS(run.snapshot(13), InputError);
  // Made longer, the run keeps what the longer run has, and not its former end.
  options.steps = 26;
  run_it(options, folder / "run", true);
  CHECK(run.snapshots() == std::vector<std::int64_t>{0, 6, 12, 18, 24, 26});
  options.snapshot_every = 0;
  run_it(options, folder / "none");
  CHECK_FALSE(fs::exists(folder / "none" / "checkpoints"));
}

TEST_CASE("a checkpoint that is cut, of another format, configuration, shape or not finite is refused, file named") {
  const TemporaryFolder folder("bad_state");
  TrainOptions options = fixture::small_bigram();
  options.steps = 6;
  options.optimizer = OptimizerKind::adamw;
  options.rate = 0.01;
  run_it(options, folder / "run");
  const fs::path path = folder / "run" / "latest.safetensors";
  TensorFile file = read_safetensors("test", path);
  options.steps = 8;
  const auto refused = [&](const std::string& why) {
    const std::string said = complaint([&] { run_it(options, folder / "run", true); }, ExitCode::usage);
    INFO(said);
    CHECK(said.rfind(path.string() + ": got ", 0) == 0);
    CHECK(said.find(why) != std::string::npos);
  };
  const auto rewritten = [&](const std::string& why) {
    write_safetensors(path, file);
    refused(why);
  };
  SECTION("cut anywhere") {
    const std::string good = bytes(path);
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
      write_file_atomically(path, good.substr(0, size));
      refused("expected");
    }
  }
  SECTION("another format") {
    file.metadata["format"] = "popgrad-state-9";
    rewritten("format 'popgrad-state-9'");
  }
  SECTION("of the first version") {
    file.metadata["format"] = "popgrad-state-1";
    rewritten("format 'popgrad-state-1'");
  }
  SECTION("another configuration") {
    TrainOptions other = fixture::small_bigram();
    other.rate = 0.2000001;
    run_it(other, folder / "other");
    fs::copy_file(folder / "other" / "latest.safetensors", path, fs::copy_options::overwrite_existing);
    refused("another configuration");
  }
  SECTION("another corpus") {
    TrainOptions same = options;
    same.steps = 6;
    train(same, count_bigrams("corpus", "abacabadabacaddbcaabbcdacbdabcabcb", "test"), folder / "other", false);
    fs::copy_file(folder / "other" / "latest.safetensors", path, fs::copy_options::overwrite_existing);
    refused("another configuration");
  }
  SECTION("another shape") {
    file.tensors["wk2"] = Matrix::Zero(6, 5);
    rewritten("tensor 'wk2' of shape 6 x 5");
  }
  SECTION("a table is missing") {
    file.tensors.erase("square.wo2");
    rewritten("no tensor 'square.wo2'");
  }
  SECTION("not finite") {
    file.tensors["mean.wk1"](2, 3) = std::nan("");
    rewritten("tensor 'mean.wk1' with an entry that is not finite");
  }
  SECTION("no step") {
    file.metadata.erase("step");
    rewritten("no metadata step");
  }
}

TEST_CASE("a config.toml that was changed no longer fits its checkpoint") {
  const TemporaryFolder folder("edited");
  TrainOptions options = fixture::small_bigram();
  options.steps = 4;
  run_it(options, folder / "run");
  std::string text = bytes(folder / "run" / "config.toml");
  text.replace(text.find("momentum = 0.9"), 14, "momentum = 0.8");
  write_file_atomically(folder / "run" / "config.toml", text);
  options.momentum = 0.8;
  CHECK(complaint([&] { run_it(options, folder / "run", true); }, ExitCode::usage).find("another configuration") != std::string::npos);
}

TEST_CASE("a line that cannot be written whole is not written at all") {
  const TemporaryFolder folder("append");
  const fs::path log = folder / "log";
  append_line(log, "one");
  append_line(log, "two");
  CHECK(bytes(log) == "one\ntwo\n");
  CHECK_THROWS_AS(append_line("/dev/full", "one"), EnvironmentError);
  CHECK_THROWS_AS(append_line(folder / "no/log", "one"), EnvironmentError);
}

TEST_CASE("what a killed process left unfinished is cleared away, and nothing else") {
  const TemporaryFolder folder("unfinished");
  for (const char* name : {"latest.safetensors.123.tmp", "notes.tmp", "x.12a.tmp", "metrics.jsonl"})
    write_file_atomically(folder / name, "x");
  remove_unfinished(folder / "");
  CHECK_FALSE(fs::exists(folder / "latest.safetensors.123.tmp"));
  for (const char* name : {"notes.tmp", "x.12a.tmp", "metrics.jsonl"}) CHECK(fs::exists(folder / name));
}

}  // namespace
}  // namespace popgrad
