#include "numerics/flow.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/invariant_probes.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

FlowOptions options_of(int N, int T, std::int64_t steps) {
  FlowOptions options;
  options.task = {N, T, Background::avoid, Query::last, {}};
  options.steps = steps;
  return options;
}

Flow run(const FlowOptions& options) {
  Flow flow(options);
  while (!flow.finished()) flow.update();
  return flow;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double largest_difference(const IdealMaps<double>& a, const IdealMaps<double>& b) {
  return std::max({largest_difference(a.wo, b.wo), largest_difference(a.wk2, b.wk2), largest_difference(a.wk1, b.wk1)});
}

}  // namespace

TEST_CASE("a flow is gradient descent by enumeration of every sequence, on all entries of all maps") {
  for (const Background background : {Background::any, Background::avoid}) {
    FlowOptions options = options_of(3, 5, 6);
    options.task.background = background;
    options.rate_wo2 = 3;
    options.rate_wk2 = 20;
    options.rate_wk1 = 50;
    IdealMaps<double> all(3, 5);
    for (int step = 0; step < 6; ++step) {
      const IdealMaps<double> descent = population_descent(options.task, all, {});
      for (std::size_t i = 0; i < all.wo.size(); ++i) all.wo[i] += 3 * descent.wo[i];
      for (std::size_t i = 0; i < all.wk2.size(); ++i) all.wk2[i] += 20 * descent.wk2[i];
      for (std::size_t i = 0; i < all.wk1.size(); ++i) all.wk1[i] += 50 * descent.wk1[i];
    }
    const Flow flow = run(options);
    CHECK(largest_difference(expand(flow.maps()), all) < 1e-12);
    CHECK(std::abs(flow.maps().k1(Block::P, Block::P).entries[2 * 5 + 1]) > 1e-3);  // all three maps have moved
    CHECK(std::abs(flow.measure().loss - population_loss(options.task, all)) < 1e-12);
  }
}

TEST_CASE("full-batch descent at (4,6), avoid, rate 0.2, is right on every sequence from step 561 on, not at 560") {
  // 561: simulated independently before this program existed.
  FlowOptions options = options_of(4, 6, 561);
  Flow flow(options);
  while (flow.step() < 560) flow.update();
  CHECK(flow.measure().accuracy.value < 0.99);
  flow.update();
  const Metrics end = flow.measure();
  CHECK(std::abs(end.accuracy.value - 1) < 1e-12);
  CHECK(end.accuracy.ties == 0);
}

TEST_CASE("an isolated flow moves three blocks, one without the value block leaves it at zero") {
  FlowOptions options = options_of(4, 6, 20);
  options.blocks = Blocks::isolated;
  const InvariantMaps<double> isolated = run(options).maps();
  const auto moved = [](const InvariantBlock<double>& block) {
    double largest = std::max(std::abs(block.diag), std::abs(block.off));
    for (const double x : block.entries) largest = std::max(largest, std::abs(x));
    return largest > 0;
  };
  const auto count = [&](const auto& blocks) { return std::count_if(blocks.begin(), blocks.end(), moved); };
  CHECK(count(isolated.wo) == 1);
  CHECK(count(isolated.wk2) == 1);
  CHECK(count(isolated.wk1) == 1);
  CHECK(moved(isolated.u(Block::E)));
  CHECK(moved(isolated.k2(Block::E, Block::R)));
  CHECK(moved(isolated.k1(Block::P, Block::P)));
  options.blocks = Blocks::full;
  const InvariantMaps<double> full = run(options).maps();
  CHECK(moved(full.u(Block::R)));
  CHECK(count(full.wk2) == 12);
  options.without = "value_block";
  CHECK_FALSE(moved(run(options).maps().u(Block::R)));
}

TEST_CASE("a frozen map rests until its step and starts without momentum") {
  FlowOptions options = options_of(3, 5, 5);
  options.momentum = 0.9;
  options.freeze.wk2 = 3;
  options.freeze.wk1 = 9;
  Flow flow(options);
  while (flow.step() < 3) flow.update();
  CHECK(frobenius(flow.maps(), 2) == 0);
  CHECK(frobenius(flow.maps(), 1) > 0);
  const InvariantMaps<double> descent = orbit_descent(options.task, flow.maps());
  flow.update();
  CHECK(flow.maps().k2(Block::E, Block::R).diag == 0.2 * descent.k2(Block::E, Block::R).diag);
  flow.update();
  CHECK(frobenius(flow.maps(), 3) == 0);
}

TEST_CASE("momentum and separate rates follow v = m v + g, theta += rate v") {
  FlowOptions options = options_of(3, 5, 2);
  options.momentum = 0.5;
  options.rate_wo2 = 0.3;
  const double first = orbit_descent(options.task, InvariantMaps<double>(3, 5)).u(Block::E).diag;
  Flow flow(options);
  flow.update();
  CHECK(flow.maps().u(Block::E).diag == 0.3 * first);
  const double second = orbit_descent(options.task, flow.maps()).u(Block::E).diag;
  flow.update();
  CHECK(std::abs(flow.maps().u(Block::E).diag - 0.3 * (first + (0.5 * first + second))) < 1e-17);
}

TEST_CASE("the gradient of W_K1 is the sum of its three paths, and the guess is what is left at small W_O") {
  const MinimalTask task{4, 6, Background::any, Query::last, {}};
  FlowOptions options = options_of(4, 6, 40);
  options.rate_wk2 = 5;
  options.rate_wk1 = 5;
  options.rate_wo2 = 3;
  const InvariantMaps<double> maps = run(options).maps();
  const auto first = [&](const Paths& paths) { return expand(orbit_descent(task, maps, {}, paths)).wk1; };
  std::vector<double> sum = first({true, false, false});
  const std::vector<double> key = first({false, true, false}), query = first({false, false, true}), all = first({});
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += key[i] + query[i];
  CHECK(largest_difference(sum, all) < 1e-15);
  for (const auto* part : {&key, &query}) CHECK(largest_difference(*part, all) > 1e-4);

  // -dL/dW_K at eps W_O is eps times what it is with p_hat = 1/N, up to eps^2.
  Paths no_guess;
  no_guess.guess = false;
  InvariantMaps<double> small(4, 6);
  small.add(1, maps);
  const double eps = 1e-7;
  for (auto& block : small.wo) {
    block.diag *= eps;
    block.off *= eps;
  }
  const IdealMaps<double> frozen = expand(orbit_descent(task, maps, {}, no_guess)), tiny = expand(orbit_descent(task, small));
  for (std::size_t i = 0; i < frozen.wk1.size(); ++i) CHECK(std::abs(tiny.wk1[i] / eps - frozen.wk1[i]) < 1e-6);
  CHECK(largest_difference(frozen.wk1, all) > 1e-3);
  CHECK(largest_difference(frozen.wo, tiny.wo) < 1e-6);
}

TEST_CASE("recall of invariant blocks: ties count 1/#tied, the mask decides who competes") {
  InvariantBlock<double> tokens;
  CHECK(token_recall(tokens, 4).value == 0.25);
  CHECK(token_recall(tokens, 4).ties == 4);
  tokens.diag = -1;
  CHECK(token_recall(tokens, 4).value == 0);
  tokens.diag = 2;
  CHECK(token_recall(tokens, 4).value == 1);
  CHECK(token_recall(tokens, 4).margin == 2);
  InvariantBlock<double> pairs;
  pairs.entries = {0, 0, 9, 9,  //
                   1, 0, 9, 9,  //
                   0, 1, 1, 9,  //
                   5, 0, 4, 0};
  const Probe masked = position_recall(pairs, 4, 64, true);
  CHECK(masked.rows == 3);
  CHECK(masked.value == Approx(1.5 / 3));  // row 2 right, row 3 tied, row 4 wrong
  CHECK(masked.ties == 1);
  CHECK(position_recall(pairs, 4, 64, false).value == Approx(0.5 / 3));  // row 2 now loses to a later key
  pairs.entries[10] = 1 + 1e-12;
  CHECK(position_recall(pairs, 4, 64, true).ties == 0);
  CHECK(position_recall(pairs, 4, 64, true, 1e-12).ties == 1);
  tokens.diag = 1e-13;
  CHECK(token_recall(tokens, 4, 1e-13).ties == 4);
  CHECK(token_recall(tokens, 4, 1e-14).value == 1);
}

TEST_CASE("a flow has the same bits on one thread and on three") {
  const int before = omp_get_max_threads();
  std::vector<IdealMaps<double>> ends;
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    ends.push_back(expand(run(options_of(5, 7, 5)).maps()));
  }
  omp_set_num_threads(before);
  CHECK(ends[0].wo == ends[1].wo);
  CHECK(ends[0].wk2 == ends[1].wk2);
  CHECK(ends[0].wk1 == ends[1].wk1);
}

TEST_CASE("a flow refuses lengths and amounts of work that take days, and stops where it overflows") {
  CHECK_THROWS_AS(Flow(options_of(4, 15, 1)), InputError);
  CHECK_THROWS_AS(Flow(options_of(4, 13, 1'000'000)), InputError);
  FlowOptions options = options_of(4, 6, 6);
  options.rate = 1e300;
  const Flow flow = run(options);
  CHECK_FALSE(flow.finite());
  CHECK(std::isinf(flow.measure().loss));
}
