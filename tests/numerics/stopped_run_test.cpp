// Runs that stop by themselves: they diverge, or have no loss position.
#include "numerics/training_run.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/run_fixture.hpp"

namespace popgrad {
namespace {

using fixture::TemporaryFolder;
namespace fs = std::filesystem;

using fixture::complaint;
using fixture::lines_by_step;
using fixture::run_it;

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
  // Overflow in the update itself: the loss before it is an ordinary one, in float too.
  options.weight_decay = 1e10;
  options.rate = 1e-12;
  options.rates = {{5, 1e308}};
  const std::string said = complaint([&] { run_it(options, folder / "run"); }, ExitCode::refuted);
  INFO(said);
  CHECK(said.rfind("diverged: w", 0) == 0);
  CHECK(said.find("is not finite at step 6 (train.rates") != std::string::npos);
  CHECK(RunFolder::open(folder / "run").latest().step == 5);
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

}  // namespace
}  // namespace popgrad
