#include "numerics/stage_sampler.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/rational.hpp"
#include "numerics/leading_pass.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/stage_strata.hpp"
#include "numerics/stage_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// visit(a, b, c) for corresponding numbers, the off-diagonal ones left out: they are the diagonal times -1/(N-1).
template <class Visit>
void each(const InvariantMaps<double>& a, const InvariantMaps<double>& b, const InvariantMaps<double>& c,
          const Visit& visit) {
  const auto blocks = [&](const auto& x, const auto& y, const auto& z) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      visit(x[i].diag, y[i].diag, z[i].diag);
      for (std::size_t j = 0; j < x[i].entries.size(); ++j) visit(x[i].entries[j], y[i].entries[j], z[i].entries[j]);
    }
  };
  blocks(a.wo, b.wo, c.wo);
  blocks(a.wk2, b.wk2, c.wk2);
  blocks(a.wk1, b.wk1, c.wk1);
}

// Largest |estimate - exact| in standard errors. An entry that does not vary has the rounding errors of a mean instead.
double worst(const SampledDescent& estimate, const InvariantMaps<double>& exact) {
  double largest = 0;
  each(estimate.mean, estimate.error, exact, [&](double mean, double error, double value) {
    const double rounding = 1e3 * 0x1p-53 * (std::abs(value) + 1e-3);
    largest = std::max(largest, std::abs(mean - value) / std::max(error, rounding));
  });
  return largest;
}

double total_variance(const SampledDescent& estimate) {
  double sum = 0;
  each(estimate.error, estimate.error, estimate.error, [&](double error, double, double) { sum += error * error; });
  return sum;
}

// Largest quotient of squares of corresponding errors.
double largest_ratio(const InvariantMaps<double>& a, const InvariantMaps<double>& b) {
  double largest = 0;
  each(a, b, b, [&](double x, double y, double) { largest = std::max(largest, y > 0 ? x * x / (y * y) : (x > 0 ? 1e300 : 0)); });
  return largest;
}

InvariantMaps<double> memories(const MinimalTask& task, int stage, double alpha, double beta) {
  return stage_start(task, Handoff::ideal, Blocks::full, stage, {alpha, beta, 0});
}

LeadingControl exact_control(const MinimalTask& task, const InvariantMaps<double>& at, int stage) {
  return {at, leading_descent(task, at, stage)};
}

}  // namespace

// The estimates are means of thousands of bounded terms; 6 standard errors of a normal law leave 2e-9 an entry, of which
// there are some thousands, and some more for the tails of few samples a stratum.
TEST_CASE("montecarlo: every entry within 6 standard errors of the orbits, naive, stratified and with the control variate") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const Handoff handoff : {Handoff::ideal, Handoff::actual}) {
        const MinimalTask task{5, 7, background, query, {}};
        const StageSizes sizes = handoff == Handoff::ideal ? StageSizes{2, 2, 0} : StageSizes{30, 60, 0};
        for (int stage = 1; stage <= 3; ++stage) {
          const InvariantMaps<double> maps = stage_start(task, handoff, Blocks::full, stage, sizes);
          const InvariantMaps<double> exact = orbit_descent(task, maps, {stage == 1, stage == 2, stage == 3});
          INFO(task.describe() << ", " << name(handoff) << ", stage " << stage);
          CHECK(worst(sample_descent(task, maps, stage, {6000, 1, false}), exact) < 6);
          CHECK(worst(sample_descent(task, maps, stage, {6000, 1, true}), exact) < 6);
          const LeadingControl control = exact_control(task, maps, stage);
          CHECK(worst(sample_descent(task, maps, stage, {6000, 1, true}, control), exact) < 6);
          // The mean of the control variate, off by a tenth, must show where it is not zero.
          if (stage == 1) continue;
          LeadingControl wrong = control;
          wrong.mean.add(0.1, control.mean);
          CHECK(worst(sample_descent(task, maps, stage, {6000, 1, true}, wrong), exact) > 6);
        }
      }
}

TEST_CASE("montecarlo: the standard error is the scatter over seeds, with and without the control variate") {
  const MinimalTask task{6, 6, Background::avoid, Query::last, {}};
  const InvariantMaps<double> maps = memories(task, 2, 2, 0);
  const double exact = orbit_descent(task, maps, {false, true, false}).k2(Block::E, Block::R).diag;
  for (const bool with : {false, true}) {
    double squares = 0, sum = 0;
    const int seeds = 100;
    for (int seed = 0; seed < seeds; ++seed) {
      const SampledDescent estimate = sample_descent(task, maps, 2, {2000, static_cast<std::uint64_t>(seed), true},
                                                     with ? std::optional(exact_control(task, maps, 2)) : std::nullopt);
      const double z = (estimate.mean.k2(Block::E, Block::R).diag - exact) / estimate.error.k2(Block::E, Block::R).diag;
      sum += z;
      squares += z * z;
    }
    INFO("control " << with << ": mean z " << sum / seeds << ", mean z^2 " << squares / seeds);
    // 5 standard errors: of the mean of z 1/sqrt(seeds), of z^2 sqrt(2/seeds).
    CHECK(std::abs(sum / seeds) < 5 / std::sqrt(1.0 * seeds));
    CHECK(std::abs(squares / seeds - 1) < 5 * std::sqrt(2.0 / seeds));
  }
}

// Equal work: the leading order of a sample has no exponentials and costs less than the sample itself, so it is charged as
// much again.
TEST_CASE(
    "montecarlo: at small steps the control variate saves at least 20 times the variance at equal work, less at larger "
    "ones") {
  const MinimalTask task{65, 8, Background::avoid, Query::last, {}};
  for (int stage = 2; stage <= 3; ++stage) {
    double before = 1e300;
    for (const double size : {0.1, 0.3, 1.0, 3.0}) {
      const InvariantMaps<double> maps = memories(task, stage, size, size);
      const SampledDescent naive = sample_descent(task, maps, stage, {4000, 1, false});
      const SampledDescent control = sample_descent(task, maps, stage, {4000, 1, true}, exact_control(task, maps, stage));
      const double saved = total_variance(naive) * static_cast<double>(naive.samples) /
                           (2 * total_variance(control) * static_cast<double>(control.samples));
      INFO("stage " << stage << ", size " << size << ": " << saved);
      if (size <= 0.3) CHECK(saved > 20);
      CHECK(saved < before);
      before = saved;
    }
  }
}

TEST_CASE("montecarlo: where softmaxes saturate the control variate does harm as it is and to no entry with its fitted factors") {
  const MinimalTask task{12, 8, Background::avoid, Query::last, {}};
  for (const double size : {0.1, 30.0}) {
    const InvariantMaps<double> maps = memories(task, 3, size, size);
    LeadingControl control = exact_control(task, maps, 3);
    const SamplingOptions options{8000, 1, true};
    const SampledDescent without = sample_descent(task, maps, 3, options);
    const SampledDescent with_one = sample_descent(task, maps, 3, options, control);
    control.factors = fitted_factors(task, maps, 3, options, control);
    const SampledDescent fitted = sample_descent(task, maps, 3, options, control);
    const double most_kept = largest_ratio(fitted.error, without.error);
    INFO("size " << size << ": variance kept with 1 " << total_variance(with_one) / total_variance(without) << ", with the factors "
                 << total_variance(fitted) / total_variance(without) << ", by the worst entry " << most_kept);
    CHECK(worst(fitted, orbit_descent(task, maps, {false, false, true})) < 6);
    if (size < 1) {
      CHECK(std::ranges::min(control.factors) > 0.9);
      CHECK(total_variance(with_one) < 1e-3 * total_variance(without));
    } else {
      CHECK(total_variance(with_one) > 2 * total_variance(without));
    }
    CHECK(most_kept < 1.05);
  }
}

TEST_CASE("montecarlo: as many factors as entries, or none") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  const InvariantMaps<double> maps = memories(task, 2, 1, 0);
  LeadingControl control = exact_control(task, maps, 2);
  control.factors = {1, 1};
  CHECK_THROWS_AS(sample_descent(task, maps, 2, {100, 1, true}, control), HypothesisError);
}

TEST_CASE(
    "montecarlo: the first step has no variance left, and long sequences take the exact terms of the moments as their "
    "control") {
  const MinimalTask first{7, 9, Background::any, Query::last, {}};
  const InvariantMaps<double> zero(7, 9);
  const double plain_variance = total_variance(sample_descent(first, zero, 1, {500, 1, true}));
  CHECK(plain_variance > 0);
  // Nothing but roundings: (T u)^2 of the squares.
  CHECK(total_variance(sample_descent(first, zero, 1, {500, 1, true}, exact_control(first, zero, 1))) <
        1e-28 * plain_variance);

  const MinimalTask task{30, 24, Background::avoid, Query::last, {}};
  const double alpha = 0.5;
  const InvariantMaps<double> maps = memories(task, 2, alpha, 0);
  const InvariantMaps<Rational> term = moment_terms(task, Handoff::ideal, Blocks::full, 2).front().descent;
  LeadingControl control{maps, InvariantMaps<double>(task.N, task.T)};
  for (std::size_t b = 0; b < term.wk2.size(); ++b) {
    control.mean.wk2[b].diag = alpha * to_double(term.wk2[b].diag);
    control.mean.wk2[b].off = alpha * to_double(term.wk2[b].off);
    for (std::size_t i = 0; i < term.wk2[b].entries.size(); ++i)
      control.mean.wk2[b].entries[i] = alpha * to_double(term.wk2[b].entries[i]);
  }
  const SampledDescent plain = sample_descent(task, maps, 2, {8000, 2, true});
  const SampledDescent controlled = sample_descent(task, maps, 2, {2000, 3, true}, control);
  CHECK(worst(plain, controlled.mean) < 6);
  CHECK(total_variance(controlled) < total_variance(plain));
  control.mean.add(0.5, control.mean);
  CHECK(worst(plain, sample_descent(task, maps, 2, {2000, 3, true}, control).mean) > 6);
}

TEST_CASE("montecarlo: the same bits for 1, 2 and 7 threads, others for another seed") {
  const MinimalTask task{9, 12, Background::any, Query::any, {}};
  const InvariantMaps<double> maps = memories(task, 3, 1, 2);
  const int before = omp_get_max_threads();
  std::vector<SampledDescent> results;
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    results.push_back(sample_descent(task, maps, 3, {1500, 4, true}));
  }
  omp_set_num_threads(before);
  int different = 0;
  for (const SampledDescent& other : results) {
    each(results[0].mean, other.mean, other.mean, [&](double a, double b, double) { different += a != b ? 1 : 0; });
    each(results[0].error, other.error, other.error, [&](double a, double b, double) { different += a != b ? 1 : 0; });
  }
  CHECK(different == 0);
  const SampledDescent another = sample_descent(task, maps, 3, {1500, 5, true});
  CHECK(results[0].mean.k1(Block::P, Block::P).entries[12] != another.mean.k1(Block::P, Block::P).entries[12]);
}

TEST_CASE(
    "montecarlo: strata have probability one together and two samples each, also when there are more places than samples "
    "allow") {
  for (const Query query : {Query::last, Query::any})
    for (const int samples : {2, 50, 5000}) {
      const MinimalTask task{4, 20, Background::avoid, query, {}};
      const SampleStrata strata(task, samples, true);
      double probability = 0;
      std::int64_t number = 0;
      std::vector<int> labels;
      for (const SamplePart& part : strata.parts()) {
        probability += part.probability;
        CHECK(part.count >= 2);
        CHECK(part.first == number);
        number += part.count;
        Orbit sequence;
        Stream stream(1, Purpose::test, static_cast<std::uint64_t>(part.first));
        strata.draw(part, stream, labels, sequence);
        const int last = sequence.token.back();
        const bool same = sequence.label[static_cast<std::size_t>(last)] == 1;
        CHECK(same == (part.output == SamplePart::Output::trigger));
        CHECK(sequence.token.size() <= 20);
      }
      CHECK(std::abs(probability - 1) < 1e-12);
      CHECK(number == strata.samples());
      CHECK(number <= 2 * samples + 4);
    }
  // More places times groups than 32 bits count.
  const SampleStrata many({4, 1200, Background::avoid, Query::any, {}}, 100000, true);
  double probability = 0;
  int covered = 0;
  for (const SamplePart& part : many.parts()) {
    probability += part.probability;
    CHECK(part.first_cell >= 0);
    CHECK(part.cells > 0);
    covered = std::max(covered, part.first_cell + part.cells);
  }
  CHECK(std::abs(probability - 1) < 1e-9);
  CHECK(covered == 1198 * 1199 / 2 - 1);  // L - 2 places of tau for L = 4 .. 1200: 2 + .. + 1198
  CHECK_THROWS_AS(SampleStrata({4, 20, Background::avoid, Query::last, {}}, 1, true), HypothesisError);
  CHECK_THROWS_AS(SampleStrata({2, 5, Background::avoid, Query::last, {1, 2}}, 10, true), HypothesisError);
  CHECK_THROWS_AS(sample_descent({4, 6, Background::avoid, Query::last, {}}, InvariantMaps<double>(4, 7), 2, {}),
                  HypothesisError);
  CHECK_THROWS_AS(sample_descent({4, 6, Background::avoid, Query::last, {}}, InvariantMaps<double>(4, 6), 0, {}),
                  HypothesisError);
}
