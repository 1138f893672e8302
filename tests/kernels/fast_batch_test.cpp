// The float pass against the double reference. Bounds computed along every operation are in fast_agreement_test; here the size
// of a float's rounding on sums of this width is enough to see a wrong term.
#include "numerics/fast_batch.hpp"

#include <omp.h>

#include <cmath>

#include "core/default_counts.hpp"
#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

struct Setting {
  int T, d, batch;
  LossKind loss;
  bool feed_forward;
};

TrainOptions options_of(const Setting& s) {
  TrainOptions options;
  options.bigram.T = s.T;
  options.bigram.loss = s.loss;
  options.batch = s.batch;
  options.model = published_options(65, s.T, s.d);
  options.model.feed_forward = s.feed_forward;
  return options;
}

std::vector<Map> maps_of(const Setting& s) {
  std::vector<Map> maps = {Map::wk1, Map::wk2, Map::wo2};
  if (s.feed_forward) maps.push_back(Map::wf);
  return maps;
}

const std::vector<Setting> settings = {{7, 5, 3, LossKind::full, false},
                                       {33, 40, 5, LossKind::full, true},
                                       {50, 24, 40, LossKind::head, true},
                                       {64, 16, 33, LossKind::head, false}};

}  // namespace

TEST_CASE("the float gradient is the reference's up to rounding", "[fast_batch]") {
  const BigramCounts corpus = default_counts();
  for (const Setting& s : settings) {
    const TrainOptions options = options_of(s);
    const SequenceSource source(options, corpus);
    const FiniteModel model = make_model(options.model_options(corpus), 3);
    const std::vector<Map> maps = maps_of(s);
    const BatchGradient reference = batch_gradient(model, source, source.training(), 5, s.batch);
    const BatchGradient fast = fast_batch_gradient(model, source, source.training(), 5, s.batch, maps);
    INFO("T = " << s.T << ", d = " << s.d);
    REQUIRE(reference.loss_positions > 0);
    CHECK(fast.loss_positions == reference.loss_positions);
    CHECK(fast.sequences == reference.sequences);
    CHECK(fast.cycles == reference.cycles);
    CHECK(std::abs(fast.loss_sum - reference.loss_sum) <= 1e-6 * reference.loss_sum);
    for (const Map map : maps) {
      INFO(name(map));
      const double size = reference.sum.at(map).cwiseAbs().maxCoeff();
      REQUIRE(size > 0);
      CHECK((fast.sum.at(map) - reference.sum.at(map)).cwiseAbs().maxCoeff() <= 1e-5 * size);
    }
  }
}

TEST_CASE("the float gradient has the same bits with 1, 2 and 7 threads", "[fast_batch]") {
  const BigramCounts corpus = default_counts();
  const TrainOptions options = options_of(settings[2]);
  const SequenceSource source(options, corpus);
  const FiniteModel model = make_model(options.model_options(corpus), 3);
  const int threads = omp_get_max_threads();
  std::vector<BatchGradient> results;
  for (const int t : {1, 2, 7}) {
    omp_set_num_threads(t);
    results.push_back(fast_batch_gradient(model, source, source.training(), 0, 150, maps_of(settings[2])));
  }
  omp_set_num_threads(threads);
  for (std::size_t i = 1; i < results.size(); ++i) {
    CHECK(results[i].loss_sum == results[0].loss_sum);
    for (const Map map : maps_of(settings[2])) CHECK(results[i].sum.at(map) == results[0].sum.at(map));
  }
}

TEST_CASE("gradients of maps that are not asked for stay zero and change no other", "[fast_batch]") {
  const BigramCounts corpus = default_counts();
  const TrainOptions options = options_of(settings[2]);
  const SequenceSource source(options, corpus);
  const FiniteModel model = make_model(options.model_options(corpus), 3);
  FastBatch batch(model);
  const BatchGradient all = batch.gradient(source, source.training(), 0, 20, maps_of(settings[2]));
  for (int subset = 0; subset < 16; ++subset) {
    std::vector<Map> maps;
    for (const Map map : maps_of(settings[2]))
      if ((subset >> static_cast<int>(map) & 1) != 0) maps.push_back(map);
    const BatchGradient some = batch.gradient(source, source.training(), 0, 20, maps);
    CHECK(some.loss_sum == all.loss_sum);
    for (const Map map : maps_of(settings[2])) {
      const bool asked = (subset >> static_cast<int>(map) & 1) != 0;
      CHECK(some.sum.at(map) == (asked ? all.sum.at(map) : Matrix::Zero(model.d(), model.d())));
    }
  }
}

TEST_CASE("a batch without a loss position has gradient zero, and a wrong request is refused", "[fast_batch]") {
  const BigramCounts corpus = default_counts();
  const TrainOptions options = options_of({4, 8, 1, LossKind::head, false});
  const SequenceSource source(options, corpus);
  const FiniteModel model = make_model(options.model_options(corpus), 3);
  std::uint64_t index = 0;
  while (!source.draw(source.training(), index).example.targets.empty()) ++index;
  FastBatch batch(model);
  const BatchGradient none = batch.gradient(source, source.training(), index, 1, {Map::wk1, Map::wk2, Map::wo2});
  CHECK(none.empty());
  CHECK(none.loss_sum == 0);
  CHECK(none.sum.wk1.isZero(0));
  CHECK(none.sum.wo2.isZero(0));
  CHECK_THROWS_AS(batch.gradient(source, source.training(), 0, 0, {Map::wk1}), HypothesisError);
  CHECK_THROWS_AS(batch.gradient(source, source.training(), 0, 1, {Map::wf}), HypothesisError);
}

TEST_CASE("held-out accuracy and loss in float are the reference's, ties included", "[fast_batch]") {
  const BigramCounts corpus = default_counts();
  const TrainOptions options = options_of(settings[2]);
  const SequenceSource source(options, corpus);
  FiniteModel model = make_model(options.model_options(corpus), 3);
  model.frozen.out.row(7) = model.frozen.out.row(30);  // two tokens that nothing can tell apart
  std::vector<Example> examples;
  for (std::uint64_t i = 0; i < 40; ++i) examples.push_back(source.draw(Purpose::evaluation, i).example);
  for (Example& example : examples)
    for (Target& target : example.targets) target.token = 7;
  for (const double strength : {1.0, 4.0}) {
    model.trained.wo2 *= strength;
    const Evaluation reference = evaluate(model, examples), fast = fast_evaluate(model, examples);
    CHECK(fast.accuracy.rows == reference.accuracy.rows);
    CHECK(fast.accuracy.value == reference.accuracy.value);
    CHECK(fast.accuracy.ties == reference.accuracy.ties);
    CHECK(std::abs(fast.accuracy.margin - reference.accuracy.margin) <= 1e-4 * std::abs(reference.accuracy.margin) + 1e-6);
    CHECK(std::abs(fast.loss_sum - reference.loss_sum) <= 1e-6 * reference.loss_sum);
  }
}
