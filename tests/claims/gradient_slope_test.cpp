#include "theory/claims/gradient_slope.hpp"

#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

const std::vector<Map> maps = {Map::wo2, Map::wk2, Map::wk1};

struct Instance {
  TrainOptions options = fixture::small_bigram();
  BigramCounts corpus = fixture::small_corpus();
  SequenceSource source{options, corpus};
  FiniteModel theta0 = make_model(options.model_options(corpus), options.seed);
  BatchGradient batch = batch_gradient(theta0, source, source.training(), 0, options.batch);
};

TEST_CASE("the gradient of a minibatch is the slope of its loss, a tenth more is not") {
  const Instance x;
  const Row row = judge_gradient_slope(x.theta0, x.source, maps, x.batch, 1);
  INFO(row.reason << " worst " << row.comparison.worst.name << " " << row.comparison.worst.ratio());
  CHECK(row.verdict == Verdict::verified);
  CHECK(row.comparison.entries == 9);
  for (const ControlOutcome& control : row.controls) CHECK(control.refuted());
  CHECK(row.comparison.widest < 0.01 * row.comparison.effect);  // the budget is far from what it has to see
}

TEST_CASE("a backward pass that is wrong in one map is refuted") {
  const auto refuted = [](auto change) {
    Instance x;
    change(x.batch.sum);
    return judge_gradient_slope(x.theta0, x.source, maps, x.batch, 1).verdict == Verdict::refuted;
  };
  CHECK(refuted([](TrainedMaps& g) { g.wk1 *= -3; }));
  CHECK(refuted([](TrainedMaps& g) { g.wk2.transposeInPlace(); }));
  CHECK(refuted([](TrainedMaps& g) { g.wo2 *= 1.05; }));
  CHECK_FALSE(refuted([](TrainedMaps&) {}));
}

TEST_CASE("a zero gradient is not told from its multiples, and no map at all is undecided") {
  Instance x;
  CHECK(judge_gradient_slope(x.theta0, x.source, {}, x.batch, 1).verdict == Verdict::undecided);
  x.theta0.trained = TrainedMaps::zero(x.theta0.d());  // the key maps of layer 2 then have no gradient
  x.batch = batch_gradient(x.theta0, x.source, x.source.training(), 0, x.options.batch);
  CHECK(judge_gradient_slope(x.theta0, x.source, {Map::wk2}, x.batch, 1).verdict == Verdict::undecided);
}

}  // namespace
}  // namespace popgrad
