// With exactly orthonormal atoms the finite-d construction is the ideal one; with Gaussian atoms it approaches it.
#include "numerics/stage_finite.hpp"

#include <omp.h>

#include <cmath>

#include "core/errors.hpp"
#include "numerics/initialization.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// E, P, R, S, their images under W_V2 and w_U orthonormal up to rounding, in d = 4(N+T) + N dimensions.
FiniteModel orthonormal_model(int N, int T) {
  const int inputs = N + T, d = 4 * inputs + N;
  const Matrix rows = draw_table(Table::tok, {Init::orthonormal, {}}, d, d, 7);
  const Matrix input = rows.topRows(inputs), remapped = rows.middleRows(inputs, inputs),
               images = rows.middleRows(2 * inputs, 2 * inputs);
  FiniteModel model;
  model.frozen.tok = input.topRows(N);
  model.frozen.pos = input.bottomRows(T);
  model.frozen.out = rows.bottomRows(N);
  model.frozen.wv1 = remapped.transpose() * input;
  model.frozen.wo1 = Matrix::Identity(d, d);
  model.frozen.wv2 = images.transpose() * rows.topRows(2 * inputs);
  model.trained = TrainedMaps::zero(d);
  return model;
}

struct Setting {
  MinimalTask task;
  Handoff handoff;
  Blocks blocks;
  int stage;
};
constexpr StageSizes sizes{3, 2, 0};
constexpr StageSizes steps{20, 300, 0};

// Largest difference between the finite blocks at orthonormal atoms and the ideal ones started from `from`.
double largest_difference(const Setting& at, const Setting& from, double& largest) {
  const bool ideal = at.handoff == Handoff::ideal;
  FiniteModel model = orthonormal_model(at.task.N, at.task.T);
  set_stage_start(model, at.task, at.handoff, at.blocks, at.stage, ideal ? sizes : steps);
  const Map map = at.stage == 1 ? Map::wo2 : at.stage == 2 ? Map::wk2 : Map::wk1;
  const std::vector<BlockSummary<double>> finite = finite_stage_blocks(model, at.task, map);
  const InvariantMaps<double> start =
      stage_start(from.task, from.handoff, from.blocks, from.stage, from.handoff == Handoff::ideal ? sizes : steps);
  const IdealMaps<double> descent = expand(orbit_descent(from.task, start, {at.stage == 1, at.stage == 2, at.stage == 3}));
  const auto expected = at.stage == 1   ? summarize_wo(descent)
                        : at.stage == 2 ? summarize_wk2(descent)
                                        : summarize_wk1(descent);
  REQUIRE(finite.size() == expected.size());
  double worst = 0;
  const auto compare = [&](double a, double b) {
    worst = std::max(worst, std::abs(a - b));
    largest = std::max(largest, std::abs(b));
  };
  for (std::size_t b = 0; b < finite.size(); ++b) {
    CHECK(finite[b].name == expected[b].name);
    REQUIRE(finite[b].kind == expected[b].kind);
    REQUIRE(finite[b].entries.size() == expected[b].entries.size());
    compare(finite[b].diag, expected[b].diag);
    compare(finite[b].off, expected[b].off);
    for (std::size_t i = 0; i < finite[b].entries.size(); ++i) compare(finite[b].entries[i], expected[b].entries[i]);
  }
  return worst;
}

// Fewer than 1e5 roundings (a handful of products of length d for each of the d^2 entries of a map and each of at most 24
// sequences, twice for a step) of numbers below 400: the largest step size times entries below 1.
constexpr double tolerance = 1e5 * 400 * 0x1p-53;

}  // namespace

TEST_CASE("at orthonormal atoms every stage's finite gradient is the ideal one, for each hand-off, background and query") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (int stage = 1; stage <= 3; ++stage)
        for (const auto& [handoff, blocks] : {std::pair{Handoff::ideal, Blocks::full},
                                              {Handoff::actual, Blocks::isolated},
                                              {Handoff::actual, Blocks::full}}) {
          const Setting at{MinimalTask{2, query == Query::any ? 5 : 4, background, query, {}}, handoff, blocks, stage};
          INFO(at.task.describe() << " " << name(handoff) << " " << name(blocks) << " stage " << stage);
          double largest = 0;
          CHECK(largest_difference(at, at, largest) < tolerance);
          CHECK(largest > 1e4 * tolerance);  // there is something to compare
        }
}

TEST_CASE("the comparison with the ideal stages notices another hand-off, other blocks and another background") {
  const Setting at{MinimalTask{2, 5, Background::any, Query::last, {}}, Handoff::actual, Blocks::full, 3};
  double largest = 0;
  Setting wrong = at;
  wrong.handoff = Handoff::ideal;
  CHECK(largest_difference(at, wrong, largest) > 100 * tolerance);
  wrong = at;
  wrong.blocks = Blocks::isolated;
  CHECK(largest_difference(at, wrong, largest) > 100 * tolerance);
  wrong = at;
  wrong.task.background = Background::avoid;
  CHECK(largest_difference(at, wrong, largest) > 100 * tolerance);
  wrong = at;
  wrong.task.query = Query::any;
  CHECK(largest_difference(at, wrong, largest) > 100 * tolerance);
}

namespace {

FiniteStage sampled(int d, std::int64_t draws) {
  FiniteStage stage;
  stage.task = MinimalTask{2, 4, Background::any, Query::last, {}};
  stage.d = d;
  stage.draws = draws;
  return stage;
}

const BlockMoments& block(const std::vector<BlockMoments>& blocks, const std::string& name) {
  for (const BlockMoments& b : blocks)
    if (b.name == name) return b;
  throw HypothesisError("block", "name", "a block", name);
}

}  // namespace

TEST_CASE("with more dimensions the draws of a finite stage come closer to each other and their mean to the ideal entry") {
  // (U,E) of step 1: (1/(NT)) (delta - 1/N), so the contrast is 1/8 at N = 2, T = 4.
  const Moments low = block(sample_finite_stage(sampled(8, 24)), "U,E").contrast;
  const Moments high = block(sample_finite_stage(sampled(128, 24)), "U,E").contrast;
  CHECK(high.variance() < low.variance() / 4);  // expected 1/16
  CHECK(std::abs(high.mean - 0.125) < 6 * high.standard_error());
  CHECK(6 * high.standard_error() < 0.125);
}

TEST_CASE("draws of a finite stage are counted, differ, and do not depend on the number of threads") {
  FiniteStage stage = sampled(12, 3);
  stage.stage = 2;
  stage.map = Map::wk2;
  stage.sizes.first = 1;
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<BlockMoments> one = sample_finite_stage(stage);
  omp_set_num_threads(3);
  std::int64_t seen = 0;
  const std::vector<BlockMoments> three = sample_finite_stage(stage, [&](std::int64_t done) { seen = done; });
  omp_set_num_threads(before);
  CHECK(seen == 3);
  REQUIRE(one.size() == 16);
  for (std::size_t b = 0; b < one.size(); ++b) {
    CHECK(one[b].diag.mean == three[b].diag.mean);
    CHECK(one[b].entries.size() == three[b].entries.size());
    if (one[b].kind == BlockKind::token_token) CHECK(one[b].diag.count == 3);
    for (std::size_t i = 0; i < one[b].entries.size(); ++i) CHECK(one[b].entries[i].mean == three[b].entries[i].mean);
  }
  CHECK(block(one, "E,R").diag.variance() > 0);
  stage.seed = 2;
  CHECK(block(sample_finite_stage(stage), "E,R").diag.mean != block(one, "E,R").diag.mean);
}

TEST_CASE("one draw, a feed-forward map and a stage that does not exist are refused at finite d") {
  FiniteStage stage = sampled(4, 1);
  CHECK_THROWS_AS(sample_finite_stage(stage), HypothesisError);
  stage.draws = 2;
  stage.map = Map::wf;
  CHECK_THROWS_AS(sample_finite_stage(stage), HypothesisError);
  stage.map = Map::wo2;
  stage.stage = 4;
  CHECK_THROWS_AS(sample_finite_stage(stage), HypothesisError);
}
