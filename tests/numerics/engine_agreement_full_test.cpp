// Full order at the start of every stage, with every switch: orbits in doubles and with roundoff bounds, the enumeration of
// every sequence, proved enclosures, samples, and the oracle's plain loops differentiated forwards.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/interval.hpp"
#include "numerics/certified_descent.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/leading_pass.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/stage_sampler.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/engine_agreement.hpp"
#include "tests/numerics/oracle_instances.hpp"
#include "tests/oracle/autodiff.hpp"

using namespace popgrad;
using namespace popgrad::agreement;
using namespace popgrad::against_oracle;

namespace {

constexpr double unit = 0x1p-53;

StageSizes sizes_of(Handoff handoff) { return handoff == Handoff::ideal ? StageSizes{1.5, 2, 0} : StageSizes{12, 40, 0}; }

InvariantMaps<RunningError> with_bounds(const InvariantMaps<double>& maps) {
  InvariantMaps<RunningError> bounded(maps.N, maps.T);
  const auto copy = [](auto& to, const auto& from) {
    for (std::size_t b = 0; b < from.size(); ++b) {
      to[b].diag = from[b].diag;
      to[b].off = from[b].off;
      to[b].entries.assign(from[b].entries.begin(), from[b].entries.end());
    }
  };
  copy(bounded.wo, maps.wo);
  copy(bounded.wk2, maps.wk2);
  copy(bounded.wk1, maps.wk1);
  return bounded;
}

bool meet(double value, double error, const Interval& x) { return value - error <= x.upper() && x.lower() <= value + error; }

// -grad of the population loss at `maps`, all three maps in the oracle's order.
std::vector<oracle::Derivative> oracle_gradient(const MinimalTask& task, const IdealMaps<double>& maps) {
  const auto law = oracle::enumerate_minimal(for_oracle(task));
  const auto loss = [&](const auto& theta) {
    return oracle::ideal_oracle_population_loss(oracle::from_ideal_entries(task.N, task.T, theta), law);
  };
  return oracle::gradient(loss, oracle::ideal_entries(for_oracle(maps)));
}

// Each pair of routes, counted over all switches.
struct Tally {
  Count rounded, enumerated, enclosed, enumerated_enclosed, chained, oracle;
};

void add(Count& sum, const Count& count) {
  sum.compared += count.compared;
  sum.apart += count.apart;
}

}  // namespace

TEST_CASE("full order: orbits, enumerate, certified and the oracle agree within their bounds, entry by entry, every switch",
          "[slow]") {
  const Wanted all{};
  Tally tally;
  std::size_t expected = 0, moved_apart = 0, large = 0;
  double worst_relative = 0;
  for (const Switches& at : all_switches()) {
    INFO(at.task.describe() << ", " << name(at.handoff) << ", " << name(at.blocks) << ", stage " << at.stage);
    const StageSizes sizes = sizes_of(at.handoff);
    const InvariantMaps<double> start = stage_start(at.task, at.handoff, at.blocks, at.stage, sizes);
    const IdealMaps<double> orbits = expand(orbit_descent(at.task, start, all));
    const IdealMaps<RunningError> bounded = expand(orbit_descent(at.task, with_bounds(start), all));
    const EnumeratedDescent listed = enumerated_descent(at.task, expand(start), all);
    const IdealMaps<Interval> certified = expand(certified_descent(at.task, start, all));
    const IdealMaps<Interval> chained =
        expand(certified_descent(at.task, certified_start(at.task, at.handoff, at.blocks, at.stage, sizes), all));
    for (int map = 1; map <= 3; ++map) {
      const std::vector<RunningError>& reference = map_of(bounded, map);
      const std::vector<double>&value = map_of(listed.descent, map), &roundoff = map_of(listed.roundoff, map);
      expected += entries_of(at.task.N, at.task.T, map);
      add(tally.rounded, compare(map_of(orbits, map), reference,
                                 [](double x, const RunningError& y) { return std::abs(x - y.value) <= y.error; }));
      Count count;
      for (std::size_t i = 0; i < value.size(); ++i) {
        const double difference = std::abs(value[i] - reference[i].value);
        ++count.compared;
        if (!(difference <= roundoff[i] + reference[i].error)) ++count.apart;
        add(tally.enumerated_enclosed, {1, meet(value[i], roundoff[i], map_of(certified, map)[i]) ? 0U : 1U});
        // Relative to the entry itself wherever it is known to ten digits: the others are zero up to rounding.
        if (std::abs(value[i]) > 1e10 * (roundoff[i] + reference[i].error)) {
          ++large;
          worst_relative = std::max(worst_relative, difference / std::abs(value[i]));
          // A relative error of 1e-6 shows.
          if (std::abs(value[i] * (1 + 1e-6) - reference[i].value) > roundoff[i] + reference[i].error) ++moved_apart;
        }
      }
      add(tally.enumerated, count);
      const auto enclosed = [](const Interval& x, const RunningError& y) { return meet(y.value, y.error, x); };
      add(tally.enclosed, compare(map_of(certified, map), reference, enclosed));
      // The certified start differs from the doubles of `start` by their rounding errors, of which the descent keeps a
      // multiple: its enclosure is wider, and contains what starts from any of them.
      add(tally.chained, compare(map_of(chained, map), map_of(certified, map), [](const Interval& x, const Interval& y) {
            return x.lower() <= y.upper() && y.lower() <= x.upper();
          }));
    }
    const std::vector<oracle::Derivative> gradient = oracle_gradient(at.task, expand(start));
    const std::vector<double> descent = in_oracle_order(orbits);
    const double sequences = static_cast<double>(2 * at.task.N * at.task.N * at.task.T) * std::pow(at.task.N, at.task.T - 3);
    const double K = std::max(longest_sum(expand(start)), sequences);
    add(tally.oracle, compare(gradient, descent, [K](const oracle::Derivative& x, double y) {
          return std::abs(y + x.value) <= oracle::agreement(x, K) + unit * std::abs(x.value);
        }));
  }
  for (const Count& count :
       {tally.rounded, tally.enumerated, tally.enclosed, tally.enumerated_enclosed, tally.chained, tally.oracle}) {
    CHECK(count.apart == 0);
    CHECK(count.compared == expected);
  }
  // 36 starts, half of them at (3,4) and half at (2,5), three maps each.
  CHECK(expected == 18 * (42 + 196 + 49) + 18 * (28 + 196 + 49));
  INFO("entries known to ten digits: " << large);
  CHECK(large > 1000);
  CHECK(moved_apart == large);
  INFO("largest difference relative to the entry: " << worst_relative);
  CHECK(worst_relative < 1e-12);
}

TEST_CASE(
    "full order: samples are within the family-wise bound of orbits, entry by entry, every switch, and a tenth is seen") {
  Count plain, controlled;
  std::size_t wrong = 0, expected = 0, numbers = 0;
  const std::vector<Switches> all = all_switches();
  for (const Switches& at : all) numbers += 2 * entries_of(at.task.N, at.task.T, at.stage);
  // P(|Z| > z) <= exp(-z^2/2); 1e-6 for all comparisons together.
  const double z = std::sqrt(2 * std::log(static_cast<double>(numbers) / 1e-6));
  std::uint64_t seed = 1;
  for (const Switches& at : all) {
    const Wanted wanted{at.stage == 1, at.stage == 2, at.stage == 3};
    const InvariantMaps<double> start = stage_start(at.task, at.handoff, at.blocks, at.stage, sizes_of(at.handoff));
    const std::vector<double> exact = map_of(expand(orbit_descent(at.task, start, wanted)), at.stage);
    double largest = 0;
    for (const double x : exact) largest = std::max(largest, std::abs(x));
    const SamplingOptions options{4000, seed++, true};
    const LeadingControl control{start, leading_descent(at.task, start, at.stage)};
    for (const bool with : {false, true}) {
      const SampledDescent sampled = with ? sample_descent(at.task, start, at.stage, options, control)
                                          : sample_descent(at.task, start, at.stage, options);
      const std::vector<double> mean = map_of(expand(sampled.mean), at.stage),
                                error = map_of(expand(sampled.error), at.stage);
      Count& count = with ? controlled : plain;
      expected += with ? exact.size() : 0;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        // What does not vary from sample to sample is a mean of as many equal numbers, each with a few hundred roundings.
        const double rounding = static_cast<double>(options.samples) * unit * largest;
        ++count.compared;
        if (!(std::abs(mean[i] - exact[i]) <= z * std::abs(error[i]) + rounding)) ++count.apart;
        if (!with && std::abs(1.5 * mean[i] - exact[i]) > z * std::abs(error[i]) + rounding) ++wrong;
      }
    }
  }
  INFO("z = " << z);
  CHECK(plain.apart == 0);
  CHECK(controlled.apart == 0);
  CHECK(plain.compared == expected);
  CHECK(controlled.compared == expected);
  CHECK(expected == 6 * (42 + 196 + 49) + 6 * (28 + 196 + 49));
  CHECK(wrong > 100);  // means half as large again
}
