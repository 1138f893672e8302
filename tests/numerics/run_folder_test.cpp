#include "numerics/run_folder.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "tests/catch.hpp"
#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/run_summary.hpp"
#include "numerics/safetensors.hpp"
#include "tests/numerics/train_fixture.hpp"
#include "numerics/training_run.hpp"

namespace popgrad {
namespace {

using fixture::TemporaryFolder;

std::string bytes(const std::filesystem::path& path) { return read_file("test", path); }

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Stops after a step, as Ctrl-C would.
TrainResult train_until(const TrainOptions& options, const std::filesystem::path& folder, bool resume, std::int64_t step) {
  std::atomic<bool> stop{false};
  TrainHooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const TrainProgress& progress) { stop = progress.step >= step; };
  return train(options, fixture::small_corpus(), folder, resume, hooks);
}

TEST_CASE("interrupted and resumed runs have the bits of an uninterrupted one") {
  const TemporaryFolder folder("resume");
  for (const TrainOptions& options : {fixture::small_bigram(), fixture::small_minimal()}) {
    std::filesystem::remove_all(folder / "");
    REQUIRE(train(options, fixture::small_corpus(), folder / "whole", false).finished);
    // 7 and 13 fall neither on an evaluation (4) nor on a checkpoint (5); 8 on an evaluation.
    CHECK_FALSE(train_until(options, folder / "parts", false, 7).finished);
    CHECK(train_until(options, folder / "parts", true, 8).step == 8);
    CHECK_FALSE(train_until(options, folder / "parts", true, 13).finished);
    CHECK(train(options, fixture::small_corpus(), folder / "parts", true).finished);
    for (const char* file : {"latest.safetensors", "initial.safetensors", "first_gradient.safetensors", "metrics.jsonl",
                             "summary.json", "config.toml"})
      CHECK(bytes(folder / "whole" / file) == bytes(folder / "parts" / file));
    CHECK(lines(bytes(folder / "whole" / "metrics.jsonl")) == 6);  // 0, 4, ..., 20
  }
}

TEST_CASE("a crash after the last checkpoint loses the steps but not the bits") {
  const TemporaryFolder folder("crash");
  const TrainOptions options = fixture::small_bigram();
  train(options, fixture::small_corpus(), folder / "whole", false);
  train_until(options, folder / "crashed", false, 5);
  // What a crash between steps 9 and 10 leaves: the checkpoint of step 5, lines up to 8, and half a line.
  std::istringstream whole(bytes(folder / "whole" / "metrics.jsonl"));
  std::string text, line;
  for (int i = 0; i < 3 && std::getline(whole, line); ++i) text += line + "\n";
  std::ofstream(folder / "crashed" / "metrics.jsonl", std::ios::binary) << text << line.substr(0, line.size() / 2);
  train(options, fixture::small_corpus(), folder / "crashed", true);
  CHECK(bytes(folder / "whole" / "metrics.jsonl") == bytes(folder / "crashed" / "metrics.jsonl"));
  CHECK(bytes(folder / "whole" / "latest.safetensors") == bytes(folder / "crashed" / "latest.safetensors"));
}

TEST_CASE("a finished run can be made longer, and becomes the longer run") {
  const TemporaryFolder folder("longer");
  TrainOptions options = fixture::small_bigram();
  train(options, fixture::small_corpus(), folder / "whole", false);
  TrainOptions shorter = options;
  shorter.steps = 10;  // its last step, 10, is not a multiple of 4: evaluated there, but not in the longer run
  train(shorter, fixture::small_corpus(), folder / "grown", false);
  CHECK(lines(bytes(folder / "grown" / "metrics.jsonl")) == 4);
  train(options, fixture::small_corpus(), folder / "grown", true);
  for (const char* file : {"latest.safetensors", "metrics.jsonl", "summary.json", "config.toml"})
    CHECK(bytes(folder / "whole" / file) == bytes(folder / "grown" / file));
  CHECK(complaint([&] {
          train(shorter, fixture::small_corpus(), folder / "grown", true);
        }).rfind("train.steps: got 10", 0) == 0);
}

TEST_CASE("a folder that holds a run is refused, and a run does not change its options") {
  const TemporaryFolder folder("refuse");
  TrainOptions options = fixture::small_bigram();
  options.steps = 2;
  train(options, fixture::small_corpus(), folder / "run", false);
  const std::string before = bytes(folder / "run" / "metrics.jsonl");
  CHECK(complaint([&] { train(options, fixture::small_corpus(), folder / "run", false); }).rfind("out: got ", 0) == 0);
  TrainOptions other = options;
  other.rate = 0.1000001;
  CHECK(complaint([&] { train(other, fixture::small_corpus(), folder / "run", true); }).rfind("train.rate: got ", 0) == 0);
  other = options;
  other.model.wo2.scale = 0.5;
  CHECK(complaint([&] { train(other, fixture::small_corpus(), folder / "run", true); }).rfind("init.wo2.scale: got ", 0) ==
        0);
  other = fixture::small_minimal();
  CHECK(complaint([&] { train(other, fixture::small_corpus(), folder / "run", true); }).rfind("data.", 0) == 0);
  const BigramCounts corpus = count_bigrams("corpus", "abacabadabacaddbcaabbcdacbdabcabcb", "test");
  CHECK(complaint([&] { train(options, corpus, folder / "run", true); }).rfind("data.corpus: got ", 0) == 0);
  CHECK(bytes(folder / "run" / "metrics.jsonl") == before);
  CHECK(complaint([&] { train(options, fixture::small_corpus(), folder / "none", true); }).rfind("run: got ", 0) == 0);
}

TEST_CASE("theta_0 and the frozen tables read back to the model that the options describe") {
  const TemporaryFolder folder("initial");
  TrainOptions options = fixture::small_bigram();
  options.model.feed_forward = true;
  train_until(options, folder / "run", false, 3);
  const RunFolder run = RunFolder::open(folder / "run");
  const FiniteModel read = run.initial_model();
  const FiniteModel made = make_model(options.model_options(fixture::small_corpus()), options.seed);
  CHECK(read.frozen.pos == made.frozen.pos);
  CHECK(read.frozen.out == made.frozen.out);
  CHECK(read.frozen.wv1 == made.frozen.wv1);
  CHECK(read.trained.wk2 == made.trained.wk2);
  CHECK(read.trained.wf == made.trained.wf);
  CHECK(read.score_scale == made.score_scale);
  CHECK(read.feed_forward);
  CHECK(run.latest().step == 3);
  CHECK(run.latest().weights.at(Table::wo2) != made.trained.wo2);
}

TEST_CASE("the record of the first gradient: absent before update 1, then the same bits on any threads and after a resume") {
  const TemporaryFolder folder("first");
  TrainOptions options = fixture::small_bigram();
  options.freeze.wk1 = 3;
  const auto record = [&](const char* run) { return folder / run / "first_gradient.safetensors"; };
  train_until(options, folder / "a", false, 0);
  CHECK_FALSE(RunFolder::open(folder / "a").first_gradient().has_value());
  train_until(options, folder / "a", true, 1);
  REQUIRE(RunFolder::open(folder / "a").first_gradient().has_value());
  const std::string first = bytes(record("a"));
  train_until(options, folder / "a", true, 4);
  CHECK(bytes(record("a")) == first);
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    std::filesystem::remove_all(folder / "b");
    train_until(options, folder / "b", false, 1);
    CHECK(bytes(record("b")) == first);
  }
  omp_set_num_threads(before);
  // It reads back to what the trainer used; the frozen map is not in it.
  Trainer trainer(options, fixture::small_corpus());
  trainer.update();
  const FirstGradient read = *RunFolder::open(folder / "a").first_gradient(), used = *trainer.first_gradient();
  CHECK(read.gradient.at(Table::wo2) == used.gradient.at(Table::wo2));
  CHECK(read.gradient.at(Table::wk2) == used.gradient.at(Table::wk2));
  CHECK(read.loss == used.loss);
  CHECK(read.loss_positions == used.loss_positions);
  CHECK(read.sequences == options.batch);
  CHECK(first.find("wk1") == std::string::npos);
  // One left in a folder without a run is not taken for the new run's.
  std::filesystem::remove(folder / "a" / "config.toml");
  train_until(options, folder / "a", false, 0);
  CHECK_FALSE(RunFolder::open(folder / "a").first_gradient().has_value());
}

TEST_CASE("a damaged record of the first gradient is refused and the file is named") {
  const TemporaryFolder folder("damaged_first");
  train_until(fixture::small_bigram(), folder / "run", false, 2);
  const RunFolder run = RunFolder::open(folder / "run");
  const std::filesystem::path path = folder / "run" / "first_gradient.safetensors";
  TensorFile file = read_safetensors("test", path);
  const auto refused = [&] {
    write_safetensors(path, file);
    const std::string said = complaint([&] { run.first_gradient(); });
    INFO(said);
    CHECK(said.rfind(path.string() + ": got ", 0) == 0);
    CHECK(lines(said) == 0);
  };
  SECTION("another format") {
    file.metadata["format"] = "popgrad-first-gradient-9";
    refused();
  }
  SECTION("no format") {
    file.metadata.erase("format");
    refused();
  }
  SECTION("a map is missing") {
    file.tensors.erase("wk2");
    refused();
  }
  SECTION("a map that does not train") {
    file.tensors["wf"] = file.tensors["wk2"];
    refused();
  }
  SECTION("another shape") {
    file.tensors["wk2"] = Matrix::Zero(2, 6);
    refused();
  }
  SECTION("another batch") {
    file.metadata["sequences"] = "10";
    refused();
  }
  SECTION("loss positions that are no number") {
    file.metadata["loss_positions"] = "-3";
    refused();
  }
  SECTION("a loss with something after it") {
    file.metadata["loss"] += "x";
    refused();
  }
  SECTION("a loss that is not finite") {
    file.metadata["loss"] = "nan";
    refused();
  }
  SECTION("no loss") {
    file.metadata.erase("loss");
    refused();
  }
}

TEST_CASE("a damaged run is refused") {
  const TemporaryFolder folder("damaged");
  TrainOptions options = fixture::small_bigram();
  train_until(options, folder / "run", false, 9);
  SECTION("metrics without their first line") {
    const std::string text = bytes(folder / "run" / "metrics.jsonl");
    std::ofstream(folder / "run" / "metrics.jsonl", std::ios::binary) << text.substr(text.find('\n') + 1);
    CHECK(complaint([&] { train(options, fixture::small_corpus(), folder / "run", true); }).find("metrics.jsonl") !=
          std::string::npos);
  }
  SECTION("a cut checkpoint") {
    const std::string text = bytes(folder / "run" / "latest.safetensors");
    std::ofstream(folder / "run" / "latest.safetensors", std::ios::binary) << text.substr(0, text.size() - 1);
    CHECK(complaint([&] { train(options, fixture::small_corpus(), folder / "run", true); }).find("latest.safetensors") !=
          std::string::npos);
  }
  SECTION("no counts") {
    std::filesystem::remove(folder / "run" / "corpus.counts.tsv");
    CHECK_FALSE(complaint([&] { RunFolder::open(folder / "run"); }).empty());
  }
}

TEST_CASE("a probe rises at the first of three consecutive evaluations above half of the way") {
  const auto at = [](std::int64_t step, double value, double chance = 0.2) { return Evaluated{step, value, chance, false}; };
  // The threshold is (1 + 0.2)/2 = 0.6, and must be exceeded.
  CHECK(rise({at(0, 0.2), at(10, 0.61), at(20, 0.61), at(30, 0.61)}) == 10);
  CHECK_FALSE(rise({at(0, 0.6), at(10, 0.6), at(20, 0.6), at(30, 0.6)}).has_value());
  CHECK_FALSE(rise({at(0, 0.9), at(10, 0.9)}).has_value());
  CHECK(rise({at(0, 0.9), at(10, 0.9), at(20, 0.1), at(30, 0.9), at(40, 0.9), at(50, 0.9)}) == 30);
  CHECK(rise({at(0, 0.9), at(10, 0.9), at(20, 0.9)}) == 0);
  CHECK_FALSE(rise({at(0, 0.9), at(10, 0.9), {20, 0, 0, true}, at(30, 0.9)}).has_value());
}

// A line of metrics; `loss` as JSON.
std::string evaluation(int step, const std::string& loss, int positions = 9) {
  return R"({"step":)" + std::to_string(step) + R"(,"loss":)" + loss + R"(,"loss_positions":)" + std::to_string(positions) +
         R"(,"accuracy":{"value":0.5,"chance":0.25,"margin":null,"ties":1,"rows":9},"wk2":null,"stream":{"sequences":30,)"
         R"("loss_positions":70,"cycle_fraction":0.1,"empty_batches":2},"batch":null})" + "\n";
}

TEST_CASE("a run diverged if its last loss is not finite or above 10 log N, since the first of the evaluations up to there") {
  const double limit = 10 * std::log(5);
  const std::string below = std::to_string(limit - 0.01), above = std::to_string(limit + 0.01);
  CHECK_FALSE(diverged("log", evaluation(0, above) + evaluation(5, below), 5).has_value());
  CHECK(diverged("log", evaluation(0, above) + evaluation(5, below) + evaluation(10, above) + evaluation(15, "1e300"), 5) == 10);
  CHECK(diverged("log", evaluation(0, "1.5") + evaluation(5, "null"), 5) == 5);
  CHECK_FALSE(diverged("log", evaluation(0, "1.5") + evaluation(5, "null", 0), 5).has_value());  // nothing was measured
}

TEST_CASE("the last line of a log is the evaluation it was written from") {
  Metrics m = final_metrics("log", evaluation(0, "2") + evaluation(5, "1.25") + "{\"step\":1");  // a run still going
  CHECK(m.step == 5);
  CHECK(m.loss == 1.25);
  CHECK(m.accuracy.value == 0.5);
  CHECK(std::isnan(m.accuracy.margin));
  CHECK(m.accuracy.ties == 1);
  CHECK(m.wk2.empty());
  CHECK(m.stream.cycles == 3);
  m.wk1 = {0.25, 0.125, 2.5, 3, 31};
  m.kl = Probe{0.5, 1, 0.5, 0, 65};
  m.accuracy.margin = 4;
  CHECK(metrics_line(final_metrics("log", metrics_line(m) + "\n")) == metrics_line(m));
  CHECK(complaint([] { final_metrics("log", "{\"step\":0}\n"); }).rfind("log: got line 1", 0) == 0);
}

TEST_CASE("the summary refuses a log that is not one") {
  CHECK(complaint([] { summarize("log", ""); }).rfind("log: got no line", 0) == 0);
  CHECK(complaint([] { summarize("log", "{\"step\":0}\nnonsense\n"); }).rfind("log: got line 2", 0) == 0);
}

}  // namespace
}  // namespace popgrad
