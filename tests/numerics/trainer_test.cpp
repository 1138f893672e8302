#include "numerics/trainer.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "numerics/sgd.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

bool same(const TableSet& a, const TableSet& b) { return a == b; }
bool same(const std::map<Table, OptimizerMemory>& a, const std::map<Table, OptimizerMemory>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.first == y.second.first && x.second.updates == y.second.updates &&
           (x.second.second.size() == 0 ? y.second.second.size() == 0 : x.second.second == y.second.second);
  });
}

// Weights and the line of metrics after some steps.
std::pair<TableSet, std::string> outcome(const TrainOptions& options, int steps, int threads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  Trainer trainer(options, fixture::small_corpus());
  for (int i = 0; i < steps; ++i) trainer.update();
  auto result = std::pair{trainer.state().weights, metrics_line(trainer.measure())};
  omp_set_num_threads(before);
  return result;
}

TEST_CASE("1, 2 and 7 threads give the same bits in weights and metrics") {
  for (const TrainOptions& options : {fixture::small_bigram(), fixture::small_minimal()}) {
    const auto one = outcome(options, 6, 1), two = outcome(options, 6, 2), seven = outcome(options, 6, 7);
    CHECK(same(one.first, two.first));
    CHECK(same(one.first, seven.first));
    CHECK(one.second == two.second);
    CHECK(one.second == seven.second);
    CHECK_FALSE(same(one.first, outcome(options, 5, 1).first));
  }
}

TEST_CASE("the first update is minus the rate times the pooled gradient of samples 0 to batch - 1") {
  TrainOptions options = fixture::small_bigram();
  options.weight_decay = 0;
  options.kernel = KernelKind::reference;
  const BigramCounts corpus = fixture::small_corpus();
  Trainer trainer(options, corpus);
  const FiniteModel start = trainer.model();
  // Plain loop over the sequences, without the batch machinery.
  const BigramSampler sampler(corpus, options.bigram);
  TrainedMaps sum = TrainedMaps::zero(start.d());
  double positions = 0, magnitude = 0;
  for (int i = 0; i < options.batch; ++i) {
    const Example example = sampler.draw(options.seed, Purpose::bigram_task, static_cast<std::uint64_t>(i)).example;
    TrainedMaps own = TrainedMaps::zero(start.d());
    if (!example.targets.empty()) add_gradient(start, example, own);
    positions += static_cast<double>(example.targets.size());
    magnitude += own.wo2.cwiseAbs().maxCoeff();
    sum += own;
  }
  REQUIRE(positions > options.batch / 2);
  trainer.update();
  const Matrix moved = trainer.model().trained.wo2 - start.trained.wo2;
  const Matrix predicted = -options.rate / positions * sum.wo2;
  REQUIRE(predicted.cwiseAbs().maxCoeff() > 1e-6);
  // The sums differ in order: batch roundings of the magnitudes, and one of the weight in the difference.
  const double budget = 0x1p-52 * (static_cast<double>(options.batch) * options.rate * magnitude + 1);
  CHECK((moved - predicted).cwiseAbs().maxCoeff() <= budget);
}

TEST_CASE("what update 1 is said to have used is what it used: from it alone follow weights and velocity, bit for bit") {
  TrainOptions options = fixture::small_bigram();
  options.weight_decay = 0.01;
  options.model.feed_forward = true;
  options.freeze.wk2 = 1;
  Trainer trainer(options, fixture::small_corpus());
  CHECK_FALSE(trainer.first_gradient().has_value());
  const FiniteModel start = trainer.model();
  trainer.update();
  const FirstGradient first = *trainer.first_gradient();
  CHECK(first.moved == std::vector<Table>{Table::wk1, Table::wo2, Table::wf});
  CHECK_FALSE(first.gradient.contains(Table::wk2));
  for (const Table table : first.moved) {
    Matrix theta = matrix(start, table), velocity = Matrix::Zero(6, 6);
    sgd_step({options.momentum, options.weight_decay}, options.rate, first.gradient.at(table), velocity, theta);
    CHECK(theta == trainer.state().weights.at(table));
    CHECK(theta == first.after.at(table));
    CHECK(velocity == trainer.state().memory.at(table).first);
  }
  CHECK(first.sequences == options.batch);
  CHECK(first.loss_positions == trainer.state().stream.loss_positions);
  CHECK(first.loss == trainer.measure().batch->loss);
  // Later updates leave it alone; a trainer that starts after update 1 has none.
  trainer.update();
  CHECK(same(trainer.first_gradient()->gradient, first.gradient));
  Trainer later(options, fixture::small_corpus());
  later.restore(trainer.state());
  later.update();
  CHECK_FALSE(later.first_gradient().has_value());
}

TEST_CASE("every batch is fresh and no sequence is used twice") {
  const TrainOptions options = fixture::small_minimal();
  const SequenceSource source(options, fixture::small_corpus());
  std::set<std::vector<int>> seen;
  TrainOptions wide = options;
  wide.minimal.N = 50;
  wide.minimal.T = 20;
  const SequenceSource wide_source(wide, fixture::small_corpus());
  for (std::uint64_t i = 0; i < 64; ++i) seen.insert(wide_source.draw(wide_source.training(), i).example.tokens);
  for (std::uint64_t i = 0; i < 64; ++i) seen.insert(wide_source.draw(Purpose::evaluation, i).example.tokens);
  for (std::uint64_t i = 0; i < 64; ++i) seen.insert(wide_source.draw(Purpose::reference_gradient, i).example.tokens);
  CHECK(seen.size() == 192);  // 50^15 sequences: equal ones would be copies

  // Two steps of one batch use the same data as one step of twice the batch.
  Trainer small(options, fixture::small_corpus());
  small.update();
  small.update();
  TrainOptions doubled = options;
  doubled.batch *= 2;
  Trainer large(doubled, fixture::small_corpus());
  large.update();
  CHECK(small.state().stream.sequences == large.state().stream.sequences);
  CHECK(small.state().stream.loss_positions == large.state().stream.loss_positions);
}

TEST_CASE("a restored trainer continues with the same bits") {
  const TrainOptions options = fixture::small_bigram();
  const BigramCounts corpus = fixture::small_corpus();
  Trainer whole(options, corpus);
  for (int i = 0; i < 4; ++i) whole.update();
  Trainer second(options, corpus);
  second.restore(whole.state());
  for (int i = 0; i < 3; ++i) whole.update();
  for (int i = 0; i < 3; ++i) second.update();
  CHECK(same(whole.state().weights, second.state().weights));
  CHECK(same(whole.state().memory, second.state().memory));
  CHECK(metrics_line(whole.measure()) == metrics_line(second.measure()));
  // The velocity matters: without it the continuation differs.
  TrainState cold = whole.state();
  for (auto& [table, memory] : cold.memory) memory.first.setZero();
  Trainer third(options, corpus);
  third.restore(cold);
  third.update();
  whole.update();
  CHECK_FALSE(same(whole.state().weights, third.state().weights));
}

TEST_CASE("a map is frozen for exactly its number of updates and then starts without momentum") {
  TrainOptions options = fixture::small_bigram();
  options.freeze.wo2 = 3;
  Trainer trainer(options, fixture::small_corpus());
  const Matrix start = trainer.model().trained.wo2;
  const Matrix keys = trainer.model().trained.wk1;
  for (int i = 0; i < 3; ++i) trainer.update();
  CHECK(trainer.model().trained.wo2 == start);
  CHECK(trainer.state().memory.at(Table::wo2).first.isZero(0));
  CHECK(trainer.model().trained.wk1 != keys);
  trainer.update();
  CHECK(trainer.model().trained.wo2 != start);
  // One update of a velocity that began at zero: theta moves by rate times it.
  const Matrix moved = start - trainer.model().trained.wo2;
  CHECK((moved - options.rate * trainer.state().memory.at(Table::wo2).first).cwiseAbs().maxCoeff() <= 0x1p-52);
}

TEST_CASE("a batch without a loss position is counted, and everything stays finite") {
  TrainOptions options = fixture::small_bigram();
  options.bigram.T = 2;  // the second position can repeat the first only in "aa"
  options.model = published_options(4, 2, 6);
  options.bigram.K = 1;
  options.batch = 1;
  options.weight_decay = 0;
  options.momentum = 0;
  const BigramCounts corpus = count_bigrams("corpus", "abababcabdababab", "test");  // no letter after itself
  options.bigram.distinct = true;
  Trainer trainer(options, corpus);
  const TableSet start = trainer.state().weights;
  for (int i = 0; i < 5; ++i) trainer.update();
  CHECK(trainer.state().stream.empty_batches == 5);
  CHECK(trainer.state().stream.loss_positions == 0);
  CHECK(same(trainer.state().weights, start));
  const Metrics metrics = trainer.measure();
  CHECK(metrics.loss_positions == 0);
  CHECK(metrics.accuracy.empty());
  const std::string line = metrics_line(metrics);
  CHECK(line.find("\"loss\":null") != std::string::npos);
  CHECK(line.find("\"accuracy\":null") != std::string::npos);
  CHECK(line.find("nan") == std::string::npos);
}

TEST_CASE("a batch of one sequence trains") {
  TrainOptions options = fixture::small_minimal();
  options.batch = 1;
  Trainer trainer(options, fixture::small_corpus());
  const TableSet start = trainer.state().weights;
  trainer.update();
  CHECK(trainer.state().stream.sequences == 1);
  CHECK(trainer.state().stream.loss_positions == 1);
  CHECK_FALSE(same(trainer.state().weights, start));
}

TEST_CASE("with the full loss the accuracy still counts only positions where copying is possible") {
  TrainOptions options = fixture::small_bigram();
  Trainer head(options, fixture::small_corpus());
  options.bigram.loss = LossKind::full;
  Trainer full(options, fixture::small_corpus());
  const Metrics a = head.measure(), b = full.measure();
  CHECK(b.loss_positions == options.eval_sequences * options.bigram.T);
  CHECK(a.accuracy.rows == b.accuracy.rows);
  CHECK(a.accuracy.value == b.accuracy.value);
  CHECK(a.accuracy.rows < b.loss_positions);
}

TEST_CASE("KL appears with the feed-forward layer only, and W_F then trains") {
  TrainOptions options = fixture::small_bigram();
  Trainer without(options, fixture::small_corpus());
  CHECK_FALSE(without.measure().kl.has_value());
  options.model.feed_forward = true;
  Trainer with(options, fixture::small_corpus());
  REQUIRE(with.measure().kl.has_value());
  const Matrix start = with.model().trained.wf;
  with.update();
  CHECK(with.model().trained.wf != start);
  without.update();
  CHECK(without.model().trained.wf.isZero(0));
}

TEST_CASE("a rate that makes the weights overflow is reported as such") {
  TrainOptions options = fixture::small_bigram();
  options.rate = 1e300;
  Trainer trainer(options, fixture::small_corpus());
  CHECK_THROWS_AS(
      [&] {
        for (int i = 0; i < 20; ++i) trainer.update();
      }(),
      Error);
}

TEST_CASE("one update lowers the batch's pooled loss by rate |gradient|^2 to first order") {
  // 1 - decrease / (rate |g|^2) = O(rate): it halves with the rate. A gradient that is scaled, reversed or of another batch
  // leaves a constant.
  const auto defect = [](double rate) {
    TrainOptions options = fixture::small_bigram();
    options.rate = rate;
    options.weight_decay = 0;
    const SequenceSource source(options, fixture::small_corpus());
    Trainer trainer(options, fixture::small_corpus());
    const BatchGradient before = batch_gradient(trainer.model(), source, source.training(), 0, options.batch);
    const TrainedMaps g = before.mean();
    double square = 0;
    for (const Map map : {Map::wk1, Map::wk2, Map::wo2}) square += g.at(map).squaredNorm();
    trainer.update();
    const BatchGradient after = batch_gradient(trainer.model(), source, source.training(), 0, options.batch);
    return 1 - (before.mean_loss() - after.mean_loss()) / (rate * square);
  };
  const double wide = defect(2e-2), narrow = defect(1e-2);
  CHECK(std::abs(wide) < 0.2);
  CHECK(wide / narrow > 1.8);
  CHECK(wide / narrow < 2.2);
}

}  // namespace
}  // namespace popgrad
