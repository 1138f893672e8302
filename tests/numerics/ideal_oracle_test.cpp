// ideal_logits, add_descent and the population descent, entry by entry against the oracle.
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "numerics/ideal_population.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/oracle_instances.hpp"
#include "tests/oracle/autodiff.hpp"

using namespace popgrad;
using namespace popgrad::against_oracle;

namespace {

// Number of entries of `descent` that are not minus the oracle's gradient, scaled by `weight`.
std::size_t outside(const std::vector<oracle::Derivative>& gradient, const std::vector<double>& descent, double weight,
                    double K) {
  REQUIRE(gradient.size() == descent.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < descent.size(); ++i) {
    const double bound = std::abs(weight) * (oracle::agreement(gradient[i], K) + 0x1.0p-53 * std::abs(gradient[i].value));
    if (!(std::abs(descent[i] + weight * gradient[i].value) <= bound)) ++count;
  }
  return count;
}

// Index of the largest entry between first and last, where three per cent matter most.
std::size_t largest(const std::vector<double>& values, std::size_t first, std::size_t last) {
  std::size_t best = first;
  for (std::size_t i = first; i < last; ++i)
    if (std::abs(values[i]) > std::abs(values[best])) best = i;
  return best;
}

// First indices of wo, wk2, wk1 in the oracle's order, and the end.
std::vector<std::size_t> map_bounds(const IdealMaps<double>& maps) {
  return {0, maps.wo.size(), maps.wo.size() + maps.wk2.size(), maps.wo.size() + maps.wk2.size() + maps.wk1.size()};
}

// Three per cent on the largest entry of each map is noticed, and nothing else is.
void check_poisoned(const std::vector<oracle::Derivative>& gradient, const std::vector<double>& descent, double weight,
                    const IdealMaps<double>& maps) {
  const auto bounds = map_bounds(maps);
  for (std::size_t map = 0; map < 3; ++map) {
    std::vector<double> poisoned = descent;
    poisoned[largest(descent, bounds[map], bounds[map + 1])] *= 1.03;
    INFO("map " << map);
    CHECK(outside(gradient, poisoned, weight, longest_sum(maps)) == 1);
  }
}

auto loss_of(int N, int T, std::vector<int> tokens, int label) {
  return
      [=](const auto& theta) { return oracle::ideal_oracle_loss(oracle::from_ideal_entries(N, T, theta), tokens, label); };
}

std::vector<oracle::Derivative> population_gradient(const MinimalTask& task, const IdealMaps<double>& maps) {
  const auto law = oracle::enumerate_minimal(for_oracle(task));
  const auto loss = [&](const auto& theta) {
    return oracle::ideal_oracle_population_loss(oracle::from_ideal_entries(task.N, task.T, theta), law);
  };
  return oracle::gradient(loss, oracle::ideal_entries(for_oracle(maps)));
}

std::vector<MinimalTask> tasks() {
  return {{3, 4, Background::any, Query::last, {}},
          {3, 4, Background::avoid, Query::last, {0, 2, 5}},
          {2, 5, Background::any, Query::any, {1, 3}},
          {2, 5, Background::avoid, Query::any, {}}};
}

}  // namespace

TEST_CASE("ideal logits equal the oracle's, sequences of every length") {
  for (const int T : {4, 5}) {
    Stream stream(1, Purpose::test, 200, static_cast<std::uint64_t>(T));
    const auto maps = random_ideal(stream, 3, T, 1);
    const auto theta = oracle::ideal_entries(for_oracle(maps));
    for (int length = 1; length <= T; ++length) {
      const std::vector<int> tokens = random_tokens(stream, 3, length);
      const std::vector<double> logits = ideal_logits(maps, tokens);
      REQUIRE(logits.size() == 3);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto logit = [&](const auto& entries) {
          return oracle::ideal_oracle_logits(oracle::from_ideal_entries(3, T, entries), tokens)[k];
        };
        const auto expected = oracle::value(logit, theta);
        const double bound = oracle::agreement(expected, longest_sum(maps));
        INFO("T " << T << " length " << length << " token " << k);
        CHECK(bound < 1e-9);
        CHECK(std::abs(logits[k] - expected.value) <= bound);
      }
    }
  }
}

TEST_CASE("ideal descent of one sequence equals minus the oracle's gradient, entry by entry, all maps random") {
  for (const int T : {4, 5})
    for (const int length : {T, T - 1, 2}) {
      INFO("T " << T << " length " << length);
      Stream stream(1, Purpose::test, 201, static_cast<std::uint64_t>(10 * T + length));
      const auto maps = random_ideal(stream, 3, T, 0.7);
      const std::vector<int> tokens = random_tokens(stream, 3, length);
      const int label = static_cast<int>(stream.below(3));
      const double weight = 0.37;
      const auto gradient = oracle::gradient(loss_of(3, T, tokens, label), oracle::ideal_entries(for_oracle(maps)));
      IdealMaps<double> descent(3, T);
      add_descent(maps, {tokens, {{length - 1, label}}}, weight, Wanted{}, descent);
      const auto found = in_oracle_order(descent);
      CHECK(outside(gradient, found, weight, longest_sum(maps)) == 0);
      check_poisoned(gradient, found, weight, maps);
      CHECK(outside(gradient, found, -weight, longest_sum(maps)) > 20);  // the ascent direction is not the descent
    }
}

TEST_CASE("ideal descent adds to what is there, and leaves maps that are not wanted alone") {
  Stream stream(1, Purpose::test, 202);
  const auto maps = random_ideal(stream, 3, 4, 0.7);
  const Example example{{2, 0, 1, 2}, {{3, 0}}};
  IdealMaps<double> all(3, 4);
  add_descent(maps, example, 1.0, Wanted{}, all);
  for (const Wanted wanted : {Wanted{true, false, false}, Wanted{false, true, false}, Wanted{false, false, true}}) {
    IdealMaps<double> start(3, 4);
    for (auto* map : {&start.wo, &start.wk2, &start.wk1}) map->assign(map->size(), 8.0);
    IdealMaps<double> some = start;
    add_descent(maps, example, 1.0, wanted, some);
    const auto check = [](bool is_wanted, const std::vector<double>& found, const std::vector<double>& added) {
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(std::abs(found[i] - 8 - (is_wanted ? added[i] : 0)) <= (is_wanted ? 40 * 16 * 0x1.0p-53 : 0));
    };
    check(wanted.wo, some.wo, all.wo);  // 40 additions to numbers below 16 at most
    check(wanted.wk2, some.wk2, all.wk2);
    check(wanted.wk1, some.wk1, all.wk1);
  }
}

TEST_CASE("ideal model at logits of several hundred stays finite and right") {
  Stream stream(1, Purpose::test, 203);
  auto maps = random_ideal(stream, 3, 4, 0.5);
  for (double& entry : maps.wo) entry *= 700;
  const std::vector<int> tokens = {1, 1, 0, 2};
  for (const int label : {0, 1, 2}) {
    const auto gradient = oracle::gradient(loss_of(3, 4, tokens, label), oracle::ideal_entries(for_oracle(maps)));
    IdealMaps<double> descent(3, 4);
    add_descent(maps, {tokens, {{3, label}}}, 1.0, Wanted{}, descent);
    INFO("label " << label);
    CHECK(outside(gradient, in_oracle_order(descent), 1, longest_sum(maps)) == 0);
  }
}

TEST_CASE("population descent equals minus the oracle's gradient of its own enumeration, entry by entry") {
  std::uint64_t index = 0;
  for (const MinimalTask& task : tasks()) {
    INFO(task.describe());
    Stream stream(1, Purpose::test, 204, index++);
    const auto maps = random_ideal(stream, task.N, task.T, 0.7);
    const auto gradient = population_gradient(task, maps);
    const auto descent = in_oracle_order(population_descent(task, maps, Wanted{}));
    // The engine adds one sequence at a time, with multiplicity; the oracle one (tokens, label) at a time.
    const double sequences = static_cast<double>(2 * task.N * task.N * task.T) * std::pow(task.N, task.T - 3);
    const double K = std::max(longest_sum(maps), sequences);
    CHECK(outside(gradient, descent, 1, K) == 0);
    const auto bounds = map_bounds(maps);
    for (std::size_t map = 0; map < 3; ++map) {
      std::vector<double> poisoned = descent;
      poisoned[largest(descent, bounds[map], bounds[map + 1])] *= 1.03;
      CHECK(outside(gradient, poisoned, 1, K) == 1);
    }
  }
}

TEST_CASE("population descent tells the laws apart: another background, query or label law is refuted") {
  const MinimalTask task{2, 5, Background::avoid, Query::any, {1, 3}};
  Stream stream(1, Purpose::test, 205);
  const auto maps = random_ideal(stream, 2, 5, 0.7);
  const auto gradient = population_gradient(task, maps);
  const double K = 2 * 4 * 5 * 4;
  CHECK(outside(gradient, in_oracle_order(population_descent(task, maps, Wanted{})), 1, K) == 0);
  const std::vector<MinimalTask> others = {{2, 5, Background::any, Query::any, {1, 3}},
                                           {2, 5, Background::avoid, Query::last, {1, 3}},
                                           {2, 5, Background::avoid, Query::any, {}},
                                           {2, 5, Background::avoid, Query::any, {3, 1}}};
  for (const MinimalTask& other : others) {
    INFO(other.describe());
    CHECK(outside(gradient, in_oracle_order(population_descent(other, maps, Wanted{})), 1, K) > 100);
  }
}

TEST_CASE("enumerated descent: its roundoff bound contains the distance to the oracle") {
  const MinimalTask task{2, 4, Background::any, Query::last, {}};
  Stream stream(1, Purpose::test, 206);
  const auto maps = random_ideal(stream, 2, 4, 0.7);
  const auto gradient = population_gradient(task, maps);
  const EnumeratedDescent found = enumerated_descent(task, maps, Wanted{});
  CHECK(in_oracle_order(found.descent) == in_oracle_order(population_descent(task, maps, Wanted{})));
  const auto descent = in_oracle_order(found.descent), roundoff = in_oracle_order(found.roundoff);
  for (std::size_t i = 0; i < descent.size(); ++i) {
    INFO("entry " << i);
    CHECK(roundoff[i] >= 0);
    CHECK(roundoff[i] < 1e-9);  // far below any entry that matters
    CHECK(std::abs(descent[i] + gradient[i].value) <= roundoff[i] + gradient[i].error);
  }
}

TEST_CASE("population loss equals the oracle's") {
  for (const MinimalTask& task : tasks()) {
    INFO(task.describe());
    Stream stream(1, Purpose::test, 207);
    const auto maps = random_ideal(stream, task.N, task.T, 0.7);
    const auto law = oracle::enumerate_minimal(for_oracle(task));
    const auto loss = [&](const auto& theta) {
      return oracle::ideal_oracle_population_loss(oracle::from_ideal_entries(task.N, task.T, theta), law);
    };
    const auto expected = oracle::value(loss, oracle::ideal_entries(for_oracle(maps)));
    CHECK(std::abs(population_loss(task, maps) - expected.value) <= oracle::agreement(expected, longest_sum(maps)));
  }
}
