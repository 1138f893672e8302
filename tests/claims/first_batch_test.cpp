#include "theory/claims/first_batch.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "numerics/training_run.hpp"

namespace popgrad {
namespace {

class TemporaryRun {
 public:
  TemporaryRun(const std::string& name, const TrainOptions& options, const BigramCounts& corpus)
      : path_(std::filesystem::temp_directory_path() / ("popgrad_test_first_batch_" + name)) {
    std::filesystem::remove_all(path_);
    train(options, corpus, path_, false);
  }
  ~TemporaryRun() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryRun(const TemporaryRun&) = delete;
  TemporaryRun& operator=(const TemporaryRun&) = delete;
  RunFolder open() const { return RunFolder::open(path_); }

 private:
  std::filesystem::path path_;
};

BigramCounts small_corpus() { return count_bigrams("corpus", "abacabadabacaddbcaabbcdacbdabcabca", "test"); }

TrainOptions small_run() {
  TrainOptions options;
  options.bigram.T = 12;
  options.bigram.K = 2;
  options.model = published_options(4, 12, 12);
  options.batch = 128;
  options.steps = 2;
  options.eval_sequences = 8;
  return options;
}

bool refuted(const CompareReport& report, const std::string& control) {
  const auto found = std::ranges::find_if(report.controls, [&](const CompareControl& c) { return c.name == control; });
  REQUIRE(found != report.controls.end());
  return found->refuted;
}

// Starts with too short a comparison, at the default level, and follows the sizes that each undecided report states. They
// follow from the reference, not from the minibatches. A right gradient is never refuted on the way and verified in the end.
CompareReport decided(const RunFolder& run) {
  CompareOptions options;
  options.groups = 32;
  options.minibatches = 32;
  for (int raised = 0;; ++raised) {
    const CompareReport report = compare_first_batch(run, options);
    INFO(raised << " times raised, to " << options.minibatches << ", " << options.groups << ": " << report.reason);
    REQUIRE(report.verdict != Verdict::refuted);
    if (report.verdict == Verdict::verified) return report;
    REQUIRE(raised < 3);
    REQUIRE(report.needed_minibatches > options.minibatches);
    options.minibatches = report.needed_minibatches;
    options.groups = report.needed_groups;
  }
}

CompareOptions short_reference() {
  CompareOptions options;
  options.groups = 16;
  options.minibatches = 4;
  return options;
}

TEST_CASE("at the sizes that a short comparison asks for a right gradient is verified, a reversed and a summed one are not",
          "[slow]") {
  const TemporaryRun run("bigram", small_run(), small_corpus());
  const CompareReport report = decided(run.open());
  CHECK(report.own.front().verdict == Verdict::verified);
  CHECK(report.evidence.batch == 128);
  CHECK(refuted(report, "sign"));
  CHECK(refuted(report, "sum"));
  for (const CompareControl& control : report.controls)
    if (!control.refuted) CHECK(control.needed_sequences > 128 * report.stream_evidence.minibatches);
  CHECK(report.controls.size() == 5);
}

TEST_CASE("another seed gives the same verdict", "[slow]") {
  TrainOptions options = small_run();
  options.seed = 77;
  const TemporaryRun run("seed", options, small_corpus());
  decided(run.open());
}

TEST_CASE("the first minibatch is the one that the run recorded") {
  const TemporaryRun run("recorded", small_run(), small_corpus());
  const RunFolder folder = run.open();
  const CompareReport right = compare_first_batch(folder, short_reference());
  CHECK(right.evidence.minibatches == 1);
  CHECK(right.stream_evidence.minibatches == 4);
  const BatchGradient used = batch_gradient(folder.initial_model(), SequenceSource(folder.options(), folder.corpus()),
                                            Purpose::bigram_task, 0, 128);
  CHECK(right.evidence.batch_positions == used.loss_positions);
  FirstGradient first = *folder.first_gradient();
  for (const Table table : first.moved) first.gradient.at(table) *= 1024;
  folder.save(first);
  const CompareReport wrong = compare_first_batch(folder, short_reference());
  CHECK(wrong.own.front().verdict == Verdict::refuted);
  CHECK(wrong.verdict == Verdict::refuted);
  for (std::size_t b = 0; b < wrong.evidence.blocks.size(); ++b) {
    CHECK(wrong.evidence.blocks[b].batch_projection == 1024 * right.evidence.blocks[b].batch_projection);
    CHECK(wrong.stream_evidence.blocks[b].batch_square > 1000 * right.stream_evidence.blocks[b].batch_square);
  }
}

TEST_CASE("a map that was frozen in update 1 enters the comparison by its gradient drawn again") {
  TrainOptions options = small_run();
  options.kernel = KernelKind::reference;  // what is drawn again is drawn by it
  const TemporaryRun all("all", options, small_corpus());
  options.freeze.wo2 = 1;
  const TemporaryRun frozen("frozen", options, small_corpus());
  const CompareReport a = compare_first_batch(all.open(), short_reference());
  const CompareReport b = compare_first_batch(frozen.open(), short_reference());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const double scale = std::abs(a.rows[i].measured) + a.rows[i].se;
    CHECK(std::abs(a.rows[i].measured - b.rows[i].measured) <= 1e4 * 0x1p-53 * scale);
  }
}

TEST_CASE("W_O2 = 0: the blocks of W_K2 are compared as exact zeros") {
  TrainOptions options = small_run();
  options.model.wo2 = {Init::zero, {}};
  const TemporaryRun run("zero", options, small_corpus());
  const CompareReport report = compare_first_batch(run.open(), short_reference());
  int zeros = 0;
  for (const CompareRow& row : report.rows) {
    if (row.map != "wk2") continue;
    CHECK(row.statistic == Statistic::exact_zero);
    CHECK(row.verdict == Verdict::verified);
    ++zeros;
  }
  CHECK(zeros == 16);
}

TEST_CASE("the minimal task has one loss position a sequence: the pooled gradient is the unbiased one", "[slow]") {
  TrainOptions options = small_run();
  options.task = TaskKind::minimal;
  options.minimal.N = 4;
  options.minimal.T = 6;
  const TemporaryRun run("minimal", options, default_counts());
  const CompareReport report = decided(run.open());
  CHECK(report.evidence.positions == 1);
  for (const CompareRow& row : report.rows) CHECK(row.pooled_bias == 0);
  CHECK(std::ranges::none_of(report.controls, [](const CompareControl& c) { return c.name == "pooled"; }));
}

TEST_CASE("options out of range are named") {
  const TemporaryRun run("options", small_run(), small_corpus());
  CompareOptions options;
  options.level = 0;
  CHECK_THROWS_AS(compare_first_batch(run.open(), options), InputError);
  options.level = 1e-6;
  options.groups = 1;
  CHECK_THROWS_AS(compare_first_batch(run.open(), options), InputError);
}

}  // namespace
}  // namespace popgrad
