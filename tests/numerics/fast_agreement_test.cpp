// The fast path against the independent dense pass, entry by entry, within the bound that the reduction widths give.
#include <omp.h>

#include <cstdio>

#include "numerics/fast_batch.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/agreement.hpp"

using namespace popgrad;
using namespace popgrad::agreement;

namespace {

BatchGradient fast(const Batch& batch, const std::vector<Map>& maps) {
  return fast_batch_gradient(batch.model, batch.source, Purpose::test, batch.first, batch.count, maps);
}

std::vector<Map> usable(const FiniteModel& model) {
  std::vector<Map> maps = {Map::wk1, Map::wk2, Map::wo2};
  if (model.feed_forward) maps.push_back(Map::wf);
  return maps;
}

}  // namespace

TEST_CASE("the fast path's gradients and loss stay within the float bound of the dense pass, for every option") {
  for (const std::uint64_t seed : {1UL, 2UL, 3UL})
    for (const Batch& batch : batches(seed)) {
      INFO(batch.name << ", seed " << seed);
      const Agreement found =
          Judge(batch, u_float + u_double).compare(fast(batch, usable(batch.model)), usable(batch.model));
      if (seed == 1 || found.outside > 0) std::printf("fast    %-75s %s\n", batch.name.c_str(), describe(found).c_str());
      CHECK(found.outside == 0);
    }
}

// The bound is for the worst case. What float does to plain loops says how much it does here.
TEST_CASE("the fast path is no farther from double, map by map in norm, than ten times plain loops in float") {
  double worst = 0;
  for (const std::uint64_t seed : {1UL, 2UL, 3UL})
    for (const Batch& batch : batches(seed)) {
      if (batch.model.d() < 24) continue;  // hundreds of entries a map: the norm of a few may come out small by luck
      const TrainedMaps exact = batch_gradient(batch.model, batch.source, Purpose::test, batch.first, batch.count).sum;
      const TrainedMaps plain = plain_float(batch).sum;
      const TrainedMaps found = fast(batch, usable(batch.model)).sum;
      for (const Map map : usable(batch.model)) {
        INFO(batch.name << ", seed " << seed << ", " << name(map));
        const double allowed = 10 * std::max((plain.at(map) - exact.at(map)).norm(), u_float * exact.at(map).norm());
        CHECK((found.at(map) - exact.at(map)).norm() <= allowed);
        worst = std::max(worst, allowed > 0 ? (found.at(map) - exact.at(map)).norm() / allowed : 0);
      }
    }
  std::printf("fast    in norm at most %.2f of what is allowed\n", worst);
}

TEST_CASE("the fast path gives the gradients that were asked for, for every subset of maps, and zeros for the others") {
  for (const Batch& batch : batches(1)) {
    if (batch.count > 3) continue;  // the small ones: the bound is computed once, the subsets are many
    const Judge judge(batch, u_float + u_double);
    const std::vector<Map> maps = usable(batch.model);
    for (unsigned chosen = 0; chosen < 1u << maps.size(); ++chosen) {
      std::vector<Map> subset;
      for (std::size_t i = 0; i < maps.size(); ++i)
        if (chosen >> i & 1u) subset.push_back(maps[i]);
      INFO(batch.name << ", subset " << chosen);
      CHECK(judge.compare(fast(batch, subset), subset).outside == 0);
    }
  }
}

TEST_CASE("the fast path's evaluation stays within the float bound: loss, accuracy, margin and counts") {
  for (const Batch& batch : batches(1)) {
    INFO(batch.name);
    const Judge judge(batch, u_float + u_double);
    const oracle::BoundedTotals& expected = judge.pass().totals();
    const Evaluation found = fast_evaluate(batch.model, batch.examples());
    REQUIRE(found.accuracy.rows == expected.loss_positions);
    CHECK(std::abs(found.loss_sum - expected.loss) <= judge.pass().loss_error());
    if (expected.loss_positions == 0) continue;
    const double rows = static_cast<double>(expected.loss_positions), right = found.accuracy.value * rows;
    const double rounding = oracle::gamma(static_cast<int>(rows) + 2, u_double) * rows;
    CHECK(right >= expected.right_least - rounding);
    CHECK(right <= expected.right_most + rounding);
    CHECK(found.accuracy.ties <= expected.right_most - expected.right_least);
    CHECK(std::abs(found.accuracy.margin * rows - expected.margin) <=
          expected.margin_error + rounding * std::abs(expected.margin));
    std::printf("eval    %-75s right %.1f of %.0f, at least %.0f and at most %.0f\n", batch.name.c_str(), right, rows,
                expected.right_least, expected.right_most);
  }
}

TEST_CASE("the fast path takes sequences of any length and targets in any order, twice, or none") {
  const Batch batch = batches(1).front();
  Stream stream(3, Purpose::test, 1);
  std::vector<Example> examples;
  for (const int length : {1, 2, 3, 15, 16, 17, 31, 32, 33}) {
    Example example{against_oracle::random_tokens(stream, batch.model.N(), length), {}};
    examples.push_back(example);  // no target
    for (const int position : {length - 1, 0, length - 1, length / 2}) example.targets.push_back({position, 64 - length});
    examples.push_back(example);
  }
  oracle::BoundedPass pass(against_oracle::for_oracle(batch.model), u_float + u_double);
  for (const Example& example : examples) {
    oracle::BoundedPass alone(against_oracle::for_oracle(batch.model), u_float + u_double);
    alone.add(example.tokens, against_oracle::pairs(example.targets));
    pass.add(example.tokens, against_oracle::pairs(example.targets));
    const Evaluation found = fast_evaluate(batch.model, {example});
    CHECK(found.accuracy.rows == static_cast<int>(example.targets.size()));
    CHECK(std::abs(found.loss_sum - alone.totals().loss) <= alone.loss_error());
  }
  const Evaluation all = fast_evaluate(batch.model, examples);
  CHECK(all.accuracy.rows == pass.totals().loss_positions);
  CHECK(std::abs(all.loss_sum - pass.totals().loss) <= pass.loss_error());
}

TEST_CASE("the fast path has the same bits with 1, 2 and 7 threads") {
  const int before = omp_get_max_threads();
  for (const Batch& batch : batches(1)) {
    if (batch.count < 3) continue;
    INFO(batch.name);
    omp_set_num_threads(1);
    const BatchGradient one = fast(batch, usable(batch.model));
    const Evaluation judged = fast_evaluate(batch.model, batch.examples());
    for (const int threads : {2, 7}) {
      omp_set_num_threads(threads);
      const BatchGradient many = fast(batch, usable(batch.model));
      for (const Map map : all_maps) CHECK(many.sum.at(map) == one.sum.at(map));
      CHECK(many.loss_sum == one.loss_sum);
      const Evaluation again = fast_evaluate(batch.model, batch.examples());
      CHECK(again.loss_sum == judged.loss_sum);
      CHECK(again.accuracy.value == judged.accuracy.value);
      CHECK(again.accuracy.margin == judged.accuracy.margin);
    }
  }
  omp_set_num_threads(before);
}
