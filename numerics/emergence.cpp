#include "numerics/emergence.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/orbits.hpp"

namespace popgrad {
namespace {

FlowOptions flow_of(const EmergenceRequest& request, double rate) {
  FlowOptions options;
  options.task = request.task;
  options.blocks = request.blocks;
  options.without = request.without;
  options.rate = rate;
  options.steps = std::max<std::int64_t>(1, std::llround(std::ceil(request.last_time() / rate)));
  return options;
}

// The polynomial through (0, y[0]), (1, y[1]), .. at x.
double interpolate(const std::vector<double>& y, double x) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double term = y[i];
    for (std::size_t j = 0; j < y.size(); ++j)
      if (j != i) term *= (x - static_cast<double>(j)) / (static_cast<double>(i) - static_cast<double>(j));
    sum += term;
  }
  return sum;
}

// Where it falls to `goal` in (low, low + 1), by bisection; y[low] > goal >= y[low + 1].
double root(const std::vector<double>& y, int low, double goal) {
  double a = low, b = low + 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (a + b) / 2;
    (interpolate(y, middle) > goal ? a : b) = middle;
  }
  return (a + b) / 2;
}

EmergenceTime extrapolated(const Emergence& all) {
  EmergenceTime t;
  std::vector<double> x;
  double interpolation = 0;
  for (const Crossing& run : all.runs) {
    if (!run.emerged) return t;
    x.push_back(run.emergence);
    interpolation = std::max(interpolation, run.interpolation);
  }
  double change = 0;
  for (double factor = 2; x.size() > 1; factor *= 2) {
    const double before = x.back();
    for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] = (factor * x[i + 1] - x[i]) / (factor - 1);
    x.pop_back();
    change = std::abs(x.back() - before);
  }
  return {true, x.front(), change + interpolation};
}

EmergenceTime smallest_rate(const Emergence& all) {
  for (const Crossing& run : all.runs)
    if (!run.accurate) return {};
  const Crossing &fine = all.runs.back(), &coarse = all.runs[all.runs.size() - 2];
  return {true, fine.t90, std::abs(fine.t90 - coarse.t90) + all.rate.back() + all.rate[all.rate.size() - 2]};
}

struct Runs {
  std::vector<Crossing> all;
  Runs& operator+=(const Runs& other) {
    all.insert(all.end(), other.all.begin(), other.all.end());
    return *this;
  }
};

}  // namespace

double EmergenceRequest::worst_seconds() const {
  double orbits = 0;
  for (int length = task.shortest(); length <= task.T; ++length) orbits += partition_count(length, task.N);
  // The updates of rate r, r/2, .., each with a loss: about half of an update more.
  return 1.5 * orbits * last_time() / first_rate() * (std::exp2(rates) - 1) / orbits_a_second;
}

void EmergenceRequest::validate() const {
  if (rates < 2 || rates > 6) throw InputError("rates", std::to_string(rates), "2 .. 6");
  if (!(accuracy > 0 && accuracy <= 1)) throw InputError("accuracy", std::to_string(accuracy), "a number in (0, 1]");
  if (!(last_time() >= first_rate())) throw InputError("longest", fmt::format("{:g}", last_time()), fmt::format("at least the rate, {:g}", first_rate()));
  flow_of(*this, first_rate()).validate();
  constexpr double most = 3600;
  if (worst_seconds() > most)
    throw InputError("longest", fmt::format("{:g}", last_time()),
                     fmt::format("work for less than an hour: up to {:.2g} updates at N = {}, T = {} take about {:.2g} hours",
                                 last_time() / first_rate() * (std::exp2(rates) - 1), task.N, task.T, worst_seconds() / 3600));
}

Crossing follow(const EmergenceRequest& request, double rate) {
  Flow flow(flow_of(request, rate));
  Crossing result;
  const double goal = std::log(request.task.N) / 2;
  std::vector<double> losses;
  int crossed = -1;  // update
  // One update more than the crossing, for the cubic.
  while (!flow.finished() && flow.finite() && !(result.accurate && crossed >= 0 && flow.step() > crossed)) {
    if (flow.step() == 0) losses.push_back(orbit_loss(request.task, flow.maps()).loss);
    flow.update();
    const InvariantLoss now = orbit_loss(request.task, flow.maps(), logit_roundoff(request.task, flow.maps(), flow.roundoff()));
    losses.push_back(now.loss);
    result.loss = now.loss;
    result.accuracy = now.accuracy;
    if (crossed < 0 && now.loss <= goal) crossed = static_cast<int>(flow.step());
    if (!result.accurate && now.accuracy >= request.accuracy) {
      result.accurate = true;
      result.t90 = rate * static_cast<double>(flow.step());
    }
  }
  result.updates = flow.step();
  result.maps = flow.maps();
  if (crossed < 0) return result;
  const int first = std::max(0, crossed - 2), low = crossed - 1 - first;
  const std::vector<double> three(losses.begin() + first, losses.begin() + crossed + 1);
  std::vector<double> four = three;
  if (static_cast<std::size_t>(crossed + 1) < losses.size()) four.push_back(losses[static_cast<std::size_t>(crossed + 1)]);
  const double fine = root(four, low, goal), coarse = root(three, low, goal);
  result.emerged = true;
  result.emergence = rate * (first + fine);
  result.interpolation = rate * std::abs(fine - coarse);
  return result;
}

std::vector<Emergence> measure_emergence(const std::vector<EmergenceRequest>& requests, const std::function<void(const Emergence&)>& done) {
  std::vector<Emergence> all;
  for (const EmergenceRequest& request : requests) {
    request.validate();
    Emergence one;
    one.request = request;
    for (int i = 0; i < request.rates; ++i) one.rate.push_back(request.first_rate() * std::exp2(-i));
    // The smallest rate is the longest run: it starts first.
    Runs runs = ordered_sum(request.rates, 1, Runs{}, [&](std::int64_t i, Runs& into) {
      into.all.push_back(follow(request, one.rate[one.rate.size() - 1 - static_cast<std::size_t>(i)]));
    });
    one.runs.assign(runs.all.rbegin(), runs.all.rend());
    one.emergence = extrapolated(one);
    one.t90 = smallest_rate(one);
    done(one);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace popgrad
