// What a run leaves behind: snapshots, checkpoints of a run that diverged, records that no cadence can change.
#include "numerics/training_run.hpp"

#include <cmath>
#include <functional>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_files.hpp"
#include "numerics/safetensors.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

using fixture::TemporaryFolder;
namespace fs = std::filesystem;

std::string bytes(const fs::path& path) { return read_file("test", path); }

std::string complaint(const std::function<void()>& action, ExitCode code) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.code() == code);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

void run_it(const TrainOptions& options, const fs::path& folder, bool resume = false) {
  train(options, fixture::small_corpus(), folder, resume);
}

std::map<std::int64_t, std::string> lines_by_step(const fs::path& log) {
  std::map<std::int64_t, std::string> lines;
  std::istringstream in(bytes(log));
  for (std::string line; std::getline(in, line);) lines[std::stoll(line.substr(line.find(':') + 1))] = line;
  return lines;
}

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

TEST_CASE("a run that diverges stops there, says rate and step, and keeps the last checkpoint whose loss is finite") {
  const TemporaryFolder folder("diverged");
  TrainOptions options = fixture::small_bigram();
  options.model.feed_forward = true;  // W_F x2 overflows where both are finite
  options.eval_every = 7;
  options.checkpoint_every = 1;
  options.rates = {{5, 1e200}};
  const std::string said = complaint([&] { run_it(options, folder / "run"); }, ExitCode::refuted);
  INFO(said);
  CHECK(said.rfind("diverged: the loss of a minibatch is not finite at step 6", 0) == 0);
  CHECK(said.find("(train.rates: got 1e+200, expected a smaller rate)") != std::string::npos);
  const RunFolder run = RunFolder::open(folder / "run");
  const TrainState kept = run.latest();
  CHECK(said.find("the last good checkpoint is that of step " + std::to_string(kept.step)) != std::string::npos);
  CHECK(said.find("latest.safetensors") != std::string::npos);
  // The weights of step 6 are finite but huge: their loss is not, and they are not kept.
  CHECK(kept.step == 5);
  Trainer trainer(options, fixture::small_corpus());
  for (int i = 0; i < 5; ++i) trainer.update();
  CHECK(kept.weights == trainer.state().weights);
  CHECK_FALSE(fs::exists(folder / "run" / "summary.json"));
  // The run goes on from there, to the same end.
  CHECK(complaint([&] { run_it(options, folder / "run", true); }, ExitCode::refuted) == said);
  CHECK(RunFolder::open(folder / "run").latest().step == 5);
}

TEST_CASE("weights that overflow leave the state before that update, if its loss is finite") {
  const TemporaryFolder folder("diverged_weights");
  TrainOptions options = fixture::small_bigram();
  options.eval_every = 7;
  options.checkpoint_every = 1;
  options.rates = {{5, 1e200}};  // then the gradients times the rate overflow, the loss does not
  const std::string said = complaint([&] { run_it(options, folder / "run"); }, ExitCode::refuted);
  INFO(said);
  CHECK(said.rfind("diverged: w", 0) == 0);
  CHECK(said.find("is not finite at step 7 (train.rates") != std::string::npos);
  CHECK(RunFolder::open(folder / "run").latest().step == 6);
}

TEST_CASE("a held-out loss that is not finite ends the run too, with its line in the log") {
  const TemporaryFolder folder("diverged_held_out");
  TrainOptions options = fixture::small_bigram();
  options.model.feed_forward = true;
  options.eval_every = options.checkpoint_every = 1;
  options.rates = {{5, 1e200}};
  const std::string said = complaint([&] { run_it(options, folder / "run"); }, ExitCode::refuted);
  CHECK(said.find("the held-out loss is not finite at step 6") != std::string::npos);
  const auto lines = lines_by_step(folder / "run" / "metrics.jsonl");
  REQUIRE(lines.size() == 7);
  CHECK(lines.at(6).find("\"loss\":null") != std::string::npos);
  CHECK(lines.at(6).find("\"loss\":\"not finite\"") != std::string::npos);
  CHECK(RunFolder::open(folder / "run").latest().step == 5);
}

TEST_CASE("initial weights without a finite loss are bad input, not a divergence") {
  const TemporaryFolder folder("bad_init");
  TrainOptions options = fixture::small_bigram();
  options.model.out.scale = 1e300;
  options.model.wo2.scale = 1e300;
  CHECK(complaint([&] { run_it(options, folder / "run"); }, ExitCode::usage).rfind("init: got weights", 0) == 0);
}

// No letter after itself: with T = 2 and one trigger there is no loss position.
TrainOptions without_loss_position() {
  TrainOptions options = fixture::small_bigram();
  options.bigram.T = 2;
  options.bigram.K = 1;
  options.bigram.distinct = true;
  options.model = published_options(4, 2, 6);
  return options;
}

TEST_CASE("a run whose batches all lack a loss position is stopped, one that has some goes on and counts the others") {
  const TemporaryFolder folder("no_position");
  const BigramCounts corpus = count_bigrams("corpus", "abababcabdababab", "test");
  TrainOptions options = without_loss_position();
  options.steps = 500;
  const std::string said = complaint([&] { train(options, corpus, folder / "run", false); }, ExitCode::usage);
  CHECK(said.rfind("train.batch: got 100 updates, of 9 sequences each, without a single loss position", 0) == 0);
  options.steps = 3;
  CHECK(complaint([&] { train(options, corpus, folder / "short", false); }, ExitCode::usage).rfind("train.batch: got 3 updates", 0) == 0);
  // Of one sequence a batch, most have none.
  TrainOptions some = fixture::small_bigram();
  some.batch = 1;
  some.bigram.T = 4;
  some.model = published_options(4, 4, 6);
  some.steps = 200;
  train(some, fixture::small_corpus(), folder / "some", false);
  const TrainState end = RunFolder::open(folder / "some").latest();
  CHECK(end.stream.empty_batches > 20);
  CHECK(end.stream.loss_positions > 20);
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
