#include "numerics/construction.hpp"

#include <omp.h>

#include <cmath>

#include "core/errors.hpp"
#include "numerics/invariant_probes.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

StageSizes times(const StageSizes& unit, double a, double b, double c) { return {a * unit.first, b * unit.second, c * unit.third}; }

double distance(const InvariantMaps<double>& a, const InvariantMaps<double>& b, int stage) {
  InvariantMaps<double> difference = a;
  difference.add(-1, b);
  return frobenius(difference, stage) / frobenius(b, stage);
}

ConstructionOptions sampled(std::int64_t gradient_samples, std::int64_t samples) {
  ConstructionOptions options;
  options.gradient_samples = gradient_samples;
  options.samples = samples;
  options.longest_sum = 0;
  return options;
}

}  // namespace

TEST_CASE("construction: short sequences take the sums over orbits of stage_start and orbit_loss") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
        for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
          const MinimalTask task{5, 6, background, query, {}};
          const Construction construction(task, handoff, blocks);
          const StageSizes sizes = times(construction.unit_sizes(), 2.1, 3.3, 7.7);
          INFO(task.describe() << ", " << name(handoff) << ", " << name(blocks));
          const auto answers = construction.answers(sizes);
          for (int stage = 0; stage <= 3; ++stage) {
            const InvariantLoss loss = orbit_loss(task, stage_start(task, handoff, blocks, stage + 1, sizes));
            const Answer& answer = answers[static_cast<std::size_t>(stage)];
            CHECK(answer.exact);
            CHECK(answer.error == 0);
            // orbit_loss takes ties as they are stored: where rounding broke one, it differs by a part of what is tied here.
            CHECK(std::abs(answer.accuracy - loss.accuracy) <= answer.tied + 1e-12);
            if (blocks == Blocks::full) CHECK(std::abs(answer.accuracy - loss.accuracy) < 1e-12);
            CHECK(std::abs(answer.margin - loss.margin) < 1e-9);
          }
          CHECK(std::abs(answers[0].accuracy - 0.2) < 1e-14);
          CHECK(std::abs(answers[0].tied - 1) < 1e-12);
        }
}

TEST_CASE("construction: a unit of step size gives contrasts one, to leading order") {
  const MinimalTask task{6, 8, Background::avoid, Query::last, {}};
  const Construction construction(task, Handoff::actual, Blocks::isolated);
  const StageSizes unit = construction.unit_sizes();
  const double small = 1e-3;
  const InvariantMaps<double> maps = construction.after_steps(times(unit, small, 1, 1 / small))[3];
  CHECK(std::abs(maps.u(Block::E).contrast() / small - 1) < 1e-12);
  CHECK(std::abs(maps.k2(Block::E, Block::R).contrast() / small - 1) < 0.01);
  const auto row = maps.k1(Block::P, Block::P).entries.begin() + 6 * 8;
  CHECK(std::abs((*(row + 5) - (*(row + 1) + *(row + 2) + *(row + 3) + *(row + 4)) / 4) / small - 1) < 0.01);
  const StageSizes ideal = Construction(task, Handoff::ideal, Blocks::full).unit_sizes();
  CHECK((ideal.first == 1 && ideal.second == 1 && ideal.third == 1));
}

// The control variate leaves the part of the gradient that is not linear: small steps need few samples, whatever the task.
TEST_CASE("construction: sampled steps are those of the orbits, nearly exactly so at small sizes") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
        const MinimalTask task{6, 7, background, query, {}};
        const Construction exact(task, Handoff::actual, blocks), drawn(task, Handoff::actual, blocks, sampled(4000, 2));
        for (const double size : {1e-4, 1.0}) {
          const MapsAfterSteps maps = exact.after_steps(times(exact.unit_sizes(), size, size, 0));
          for (int stage = 1; stage <= 3; ++stage) {
            const auto s = static_cast<std::size_t>(stage - 1);
            const double apart = distance(drawn.step(stage, maps[s]), exact.step(stage, maps[s]), stage);
            INFO(task.describe() << ", " << name(blocks) << ", size " << size << ", stage " << stage << ": " << apart);
            if (stage == 1) CHECK(apart < 1e-12);
            if (size < 1 && (stage == 2 || blocks == Blocks::isolated)) CHECK(apart < 1e-3);
            CHECK(apart < 1);
          }
        }
      }
}

// 6 standard errors, as in the tests of the gradients; the scatter of 6 replicates knows its own size to a third.
TEST_CASE("construction: sampled answers after each step lie within 6 standard errors of the exact ones") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
        const MinimalTask task{7, 6, background, query, {}};
        const Construction exact(task, Handoff::actual, blocks), drawn(task, Handoff::actual, blocks, sampled(2000, 1000));
        const StageSizes sizes = times(exact.unit_sizes(), 2, 3, 10);
        const auto right = exact.answers(sizes), estimate = drawn.answers(sizes, 6);
        for (std::size_t s = 0; s < 4; ++s) {
          INFO(task.describe() << ", " << name(blocks) << ", after " << s << ": " << right[s].accuracy << ", sampled "
                               << estimate[s].accuracy << " +- " << estimate[s].error);
          CHECK_FALSE(estimate[s].exact);
          CHECK(estimate[s].error < 0.1);
          CHECK(std::abs(estimate[s].accuracy - right[s].accuracy) <= 6 * estimate[s].error + 1e-12);
        }
      }
}

TEST_CASE("answer: ties are shared though their logits differ in the last bits") {
  // One-hot first attention, equal scores of two rows: o at tau + 1 against the trigger at the first position.
  const MinimalTask task{5, 8, Background::avoid, Query::last, {}};
  const InvariantMaps<double> memories = invariant_memories<double>(task.N, task.T);
  InvariantMaps<double> head(task.N, task.T);
  head.add(50, isolate(memories, 3));
  head.add(7.3, isolate(memories, 2));
  head.add(1, isolate(memories, 1));
  const Answer full = answer(task, head);
  CHECK(full.exact);
  CHECK(full.tied > 0.01);
  CHECK(logit_roundoff(head) > 0);
  CHECK(logit_roundoff(head) < 1e-11);
  AnswerOptions drawn;
  drawn.longest_sum = 0;
  const Answer estimate = answer(task, head, drawn);
  CHECK(std::abs(estimate.accuracy - full.accuracy) < 6 * estimate.error);
  CHECK(std::abs(estimate.tied - full.tied) < 0.01);
  CHECK(std::abs(estimate.margin - full.margin) < 0.01);
}

TEST_CASE("answer: the same bits for 1, 2 and 7 threads, other samples for another substream") {
  const MinimalTask task{9, 12, Background::any, Query::any, {}};
  const Construction construction(task, Handoff::actual, Blocks::isolated, sampled(2000, 3000));
  const StageSizes sizes = times(construction.unit_sizes(), 1, 2, 3);
  const int before = omp_get_max_threads();
  std::vector<std::array<Answer, 4>> results;
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    results.push_back(construction.answers(sizes, 2));
  }
  omp_set_num_threads(before);
  for (const auto& other : results)
    for (std::size_t s = 0; s < 4; ++s) {
      CHECK(other[s].accuracy == results[0][s].accuracy);
      CHECK(other[s].error == results[0][s].error);
      CHECK(other[s].margin == results[0][s].margin);
    }
  const InvariantMaps<double> maps = construction.after_steps(sizes)[3];
  CHECK(construction.answer(maps, 0).accuracy != construction.answer(maps, 1).accuracy);
}

TEST_CASE("answer and construction refuse maps of another size, entries that overflowed, weighted labels and no replicate") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK_THROWS_AS(answer(task, InvariantMaps<double>(4, 7)), HypothesisError);
  InvariantMaps<double> broken(4, 6);
  broken.u(Block::E).diag = INFINITY;
  CHECK_THROWS_AS(answer(task, broken), HypothesisError);
  CHECK_THROWS_AS(Construction({4, 6, Background::avoid, Query::last, {1, 1, 2, 1}}, Handoff::actual, Blocks::full), HypothesisError);
  CHECK_THROWS_AS(Construction({4, 3, Background::avoid, Query::last, {}}, Handoff::actual, Blocks::full), InputError);
  const Construction construction(task, Handoff::actual, Blocks::full);
  CHECK_THROWS_AS(construction.answers({1, 1, 1}, 0), HypothesisError);
  CHECK_THROWS_AS(construction.step(4, InvariantMaps<double>(4, 6)), HypothesisError);
}
