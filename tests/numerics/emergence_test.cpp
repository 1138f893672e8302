#include "numerics/emergence.hpp"

#include <omp.h>

#include <cmath>
#include <functional>
#include <string>

#include "core/errors.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

EmergenceRequest request_of(int N, int T, double rate, int rates) {
  EmergenceRequest request;
  request.task = {N, T, Background::avoid, Query::last, {}};
  request.rate = rate;
  request.rates = rates;
  return request;
}

// One step of length h of the classical Runge-Kutta method: another discretization of the flow, of fourth order.
InvariantMaps<double> runge_kutta(const MinimalTask& task, const InvariantMaps<double>& maps, double h) {
  const auto moved = [&](double step, const InvariantMaps<double>& along) { return InvariantMaps<double>(maps).add(step, along); };
  const auto k1 = orbit_descent(task, maps);
  const auto k2 = orbit_descent(task, moved(h / 2, k1));
  const auto k3 = orbit_descent(task, moved(h / 2, k2));
  const auto k4 = orbit_descent(task, moved(h, k3));
  return InvariantMaps<double>(maps).add(h / 6, k1).add(h / 3, k2).add(h / 3, k3).add(h / 6, k4);
}

// Time at which the loss of the flow is half of log N; the last step is shortened by bisection.
double by_runge_kutta(const MinimalTask& task, double h) {
  const auto below = [&](const InvariantMaps<double>& maps) { return orbit_loss(task, maps).loss <= std::log(task.N) / 2; };
  InvariantMaps<double> maps(task.N, task.T);
  double time = 0;
  for (InvariantMaps<double> next = runge_kutta(task, maps, h); !below(next); next = runge_kutta(task, maps, h)) {
    maps = next;
    time += h;
  }
  double low = 0, high = h;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (below(runge_kutta(task, maps, middle)) ? high : low) = middle;
  }
  return time + high;
}

}  // namespace

TEST_CASE("the emergence time at rate 0 is that of the flow by another method, within its error") {
  for (const MinimalTask& task : {MinimalTask{4, 6, Background::avoid, Query::last, {}}, MinimalTask{3, 5, Background::avoid, Query::last, {}}}) {
    const double coarse = by_runge_kutta(task, 2), fine = by_runge_kutta(task, 1);
    EmergenceRequest request = request_of(task.N, task.T, 4, 3);
    const EmergenceTime found = measure_emergence({request}).front().emergence;
    REQUIRE(found.reached);
    INFO(task.describe() << ": " << found.value << " +- " << found.error << ", Runge-Kutta " << fine << " +- " << std::abs(fine - coarse));
    CHECK(std::abs(fine - coarse) < 1e-3);
    CHECK(std::abs(found.value - fine) <= found.error + std::abs(fine - coarse));
    CHECK(found.error < 0.05);
    // Not extrapolated, it would be far outside.
    CHECK(std::abs(measure_emergence({request}).front().runs.back().emergence - fine) > 5 * found.error);
  }
}

TEST_CASE("a run crosses where popgrad flow does: loss above half of log N one update before, below it after") {
  const EmergenceRequest request = request_of(4, 6, 1, 2);
  const Crossing run = follow(request, 1);
  REQUIRE(run.emerged);
  REQUIRE(run.accurate);
  FlowOptions options;
  options.task = request.task;
  options.rate = 1;
  options.steps = 200;
  Flow flow(options);
  while (static_cast<double>(flow.step() + 1) <= run.emergence) flow.update();
  CHECK(flow.measure().loss > std::log(4) / 2);
  flow.update();
  CHECK(flow.measure().loss < std::log(4) / 2);
  while (static_cast<double>(flow.step()) < run.t90 - 1) flow.update();
  CHECK(flow.measure().accuracy.value < 0.9);
  flow.update();
  CHECK(flow.measure().accuracy.value >= 0.9);
  while (flow.step() < run.updates) flow.update();
  CHECK(run.maps.u(Block::E).diag == flow.maps().u(Block::E).diag);
}

TEST_CASE("a flow that does not get there has no time, and one whose W_K1 rests has W_K1 = 0") {
  EmergenceRequest request = request_of(4, 6, 4, 2);
  request.longest = 40;
  const Emergence early = measure_emergence({request}).front();
  CHECK_FALSE(early.emergence.reached);
  CHECK_FALSE(early.t90.reached);
  CHECK(early.runs.front().updates == 10);
  request.longest = 2000;
  request.without = "wk1";
  const Emergence frozen = measure_emergence({request}).front();
  CHECK(frozen.emergence.reached);
  for (const double x : frozen.runs.back().maps.k1(Block::P, Block::P).entries) CHECK(x == 0);
  CHECK(frozen.runs.back().maps.k1(Block::E, Block::E).diag == 0);
}

TEST_CASE("emergence times have the same bits on one thread and on three") {
  const int before = omp_get_max_threads();
  std::vector<double> found;
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    for (const Emergence& e : measure_emergence({request_of(3, 5, 4, 3), request_of(4, 5, 4, 2)})) {
      found.push_back(e.emergence.value);
      found.push_back(e.emergence.error);
    }
  }
  omp_set_num_threads(before);
  REQUIRE(found.size() == 8);
  for (std::size_t i = 0; i < 4; ++i) CHECK(found[i] == found[i + 4]);
}

TEST_CASE("what would take hours is refused with its cost, and so are goals and rates that make no sense") {
  EmergenceRequest request = request_of(8, 12, 1, 3);
  CHECK_THROWS_AS(request.validate(), InputError);
  try {
    request.validate();
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("hours") != std::string::npos);
  }
  request = request_of(3, 10, 4, 3);
  request.longest = 400;
  request.validate();
  CHECK(request.worst_seconds() > 10);
  for (const auto& spoil : std::vector<std::function<void(EmergenceRequest&)>>{
           [](EmergenceRequest& r) { r.rates = 1; }, [](EmergenceRequest& r) { r.rates = 7; }, [](EmergenceRequest& r) { r.accuracy = 0; },
           [](EmergenceRequest& r) { r.longest = 1e-3; }, [](EmergenceRequest& r) { r.without = "keys"; }, [](EmergenceRequest& r) { r.task.T = 3; }}) {
    EmergenceRequest bad = request_of(4, 6, 4, 3);
    spoil(bad);
    CHECK_THROWS_AS(bad.validate(), InputError);
  }
}
