#include "numerics/flow_roundoff.hpp"

#include <algorithm>
#include <cmath>

#include "core/philox.hpp"
#include "numerics/flow.hpp"
#include "numerics/invariant_probes.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/scalar.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

InvariantMaps<double> drawn(int N, int T, double size, std::uint64_t seed) {
  InvariantMaps<double> maps(N, T);
  Stream stream(seed, Purpose::evaluation, 0);
  const auto draw = [&](auto& blocks) {
    for (InvariantBlock<double>& block : blocks) {
      block.diag = size * stream.normal();
      for (double& x : block.entries) x = size * stream.normal();
    }
  };
  draw(maps.wo);
  draw(maps.wk2);
  draw(maps.wk1);
  return maps;
}

template <class A, class B, class Each>
void each_block(const A& a, B& b, const Each& each) {
  for (std::size_t i = 0; i < a.size(); ++i) each(a[i], b[i]);
}

template <class Blocks>
double largest_error(const Blocks& blocks) {
  double most = 0;
  for (const auto& block : blocks) {
    most = std::max({most, block.diag.error, block.off.error});
    for (const RunningError& x : block.entries) most = std::max(most, x.error);
  }
  return most;
}

}  // namespace

TEST_CASE("the roundoff of a descent covers the running error bounds of the same operations") {
  for (const double size : {0.01, 0.3, 1.5})
    for (const auto& [N, T] : {std::pair{3, 5}, {4, 6}, {7, 7}}) {
      const MinimalTask task{N, T, Background::any, Query::last, {}};
      const InvariantMaps<double> maps = drawn(N, T, size, 7);
      InvariantMaps<RunningError> twin(N, T);
      const auto copy = [](const InvariantBlock<double>& from, InvariantBlock<RunningError>& into) {
        into.diag = from.diag;
        into.off = from.off;
        for (std::size_t i = 0; i < from.entries.size(); ++i) into.entries[i] = from.entries[i];
      };
      each_block(maps.wo, twin.wo, copy);
      each_block(maps.wk2, twin.wk2, copy);
      each_block(maps.wk1, twin.wk1, copy);
      const InvariantMaps<RunningError> descent = orbit_descent(task, twin);
      const MapRoundoff bound = descent_roundoff(task, maps);
      INFO(task.describe() << " size " << size);
      CHECK(largest_error(descent.wo) <= bound.wo);
      CHECK(largest_error(descent.wk2) <= bound.wk2);
      CHECK(largest_error(descent.wk1) <= bound.wk1);
      if (size < 1) CHECK(bound.wo <= 1e4 * largest_error(descent.wo));
    }
}

TEST_CASE("the roundoff of many small updates covers what their additions round off, and is not far above the running error") {
  FlowOptions options;
  options.task = {2, 4, Background::avoid, Query::last, {}};
  options.rate = 1e-5;
  options.steps = 32768;
  Flow flow(options);
  InvariantMaps<RunningError> twin(2, 4);
  double descents = 0;          // the bound without the additions
  long double additions = 0;    // what those of (U,E) did round off
  while (!flow.finished()) {
    descents += options.rate * descent_roundoff(options.task, flow.maps()).wo;
    const long double before = flow.maps().u(Block::E).diag, step = orbit_descent(options.task, flow.maps()).u(Block::E).diag;
    flow.update();
    additions += std::abs(static_cast<long double>(flow.maps().u(Block::E).diag) - (before + options.rate * step));
    twin.add(options.rate, orbit_descent(options.task, twin));
  }
  CHECK(additions > descents);  // so that a bound without them would not do
  CHECK(additions <= flow.roundoff().wo);
  // The running error also carries on what earlier updates rounded off, which the flow's bound leaves out.
  CHECK(std::abs(twin.u(Block::E).diag.value - flow.maps().u(Block::E).diag) <= 2 * twin.u(Block::E).diag.error);
  CHECK(flow.roundoff().wo <= 1e4 * largest_error(twin.wo));
  CHECK(flow.roundoff().wk2 <= 1e4 * largest_error(twin.wk2));
  CHECK(flow.roundoff().wk1 <= 1e4 * largest_error(twin.wk1));
}

TEST_CASE("a score between two outputs of layer 1 carries the error of attention 1 twice") {
  const MinimalTask task{4, 6, Background::any, Query::last, {}};
  const auto logit_error = [&](Block query, Block key) {
    InvariantMaps<double> maps(4, 6);
    maps.u(Block::E).diag = 1;
    maps.k2(query, key).diag = 1000;
    MapRoundoff known;
    known.wk1 = 1e-6;  // far above u
    return logit_roundoff(task, maps, known);
  };
  CHECK(logit_error(Block::R, Block::R) == Approx(2 * logit_error(Block::E, Block::R)).epsilon(0.01));
  CHECK(logit_error(Block::E, Block::E) < 0.01 * logit_error(Block::E, Block::R));
}

TEST_CASE("keys that no statistic tells apart tie in R(W_K1), whatever the last digits of the sums say") {
  // With p_hat at 1/N the second update of W_K1 is the value path alone, which prefers no key among 2 .. T-1 (T3.gate).
  bool rounding_matters = false;
  for (const int T : {6, 7, 8}) {
    FlowOptions options;
    options.task = {4, T, Background::avoid, Query::last, {}};
    options.without = "guess";
    options.steps = 2;
    Flow flow(options);
    flow.update();
    flow.update();
    double expected = 0;
    for (int t = 3; t < T; ++t) expected += 1.0 / (t - 1);
    expected = (expected + 1.0 / (T - 2)) / (T - 1);
    const Metrics metrics = flow.measure();
    INFO("T = " << T);
    CHECK(metrics.wk1.value == Approx(expected));
    CHECK(metrics.wk1.ties == T - 2);
    const Probe bare = position_recall(flow.maps().k1(Block::P, Block::P), T, T, true);
    rounding_matters = rounding_matters || bare.ties != T - 2;
  }
  CHECK(rounding_matters);
}

TEST_CASE("roundoff grows with the updates and stays far below what a flow learns") {
  FlowOptions options;
  options.task = {4, 6, Background::avoid, Query::last, {}};
  options.steps = 600;
  Flow flow(options);
  double before = -1;
  while (!flow.finished()) {
    flow.update();
    CHECK(flow.roundoff().wk1 > before);
    before = flow.roundoff().wk1;
  }
  CHECK(flow.roundoff().wk1 < 1e-5);
  CHECK(flow.roundoff().wo < 1e-6);
  CHECK(flow.measure().wk1.ties == 0);
}
