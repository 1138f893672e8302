// T3.onset: gradient descent in small steps, in doubles, has the exponents and constants of the exact coefficients, and their next orders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "check/statistics.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/flow.hpp"
#include "numerics/onset.hpp"
#include "numerics/onset_expansion.hpp"
#include "numerics/scalar.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_onset_parts.hpp"

namespace popgrad {
namespace {

// Times t0 (1, .., 5): the next order of the expansion is a few per cent at the last of them. Each is reached in steps of t0/2, t0/4, ..
constexpr double first_time = 0.25;
constexpr int times = 5, levels = 4;
constexpr int steps_to_first[levels] = {2, 4, 8, 16};

// One number of the maps: linear, so that a RunningError goes through.
struct Quantity {
  std::string name;
  int order;  // first power of t
  Rational coefficient;
  int row = 0, column = -1;         // of (P,P): an entry, or with column = -1 the signal of the row (1-based)
  std::vector<OnsetRatio> ratio{};  // one: x(t)/(c t^order) from the terms after the first
};

template <class S>
S value(const Quantity& q, const InvariantMaps<S>& maps) {
  if (q.name == "(U,E)") return maps.u(Block::E).contrast();
  if (q.name == "(E,R)") return maps.k2(Block::E, Block::R).contrast();
  const InvariantBlock<S>& pairs = maps.k1(Block::P, Block::P);
  if (q.column < 0) return position_signal(pairs, maps.T, q.row);
  return pairs.entries[static_cast<std::size_t>(q.row * maps.T + q.column)];
}

// The quantities that the claim is about, with their exact coefficients under `rule`.
std::vector<Quantity> quantities(const MinimalTask& task, Blocks blocks, const FlowRule& rule) {
  const int pp = blocks == Blocks::isolated ? 4 : 2, signal = blocks == Blocks::isolated ? 4 : 3;
  const auto c = onset_coefficients(task, rule, highest_onset_order);
  std::vector<Quantity> all = {{"(U,E)", 1, {}}, {"(E,R)", 2, {}}};
  const auto& entries = c[static_cast<std::size_t>(pp)].k1(Block::P, Block::P).entries;
  const auto largest = std::max_element(entries.begin(), entries.end(),
                                        [](const Rational& a, const Rational& b) { return size_of(a) < size_of(b); });
  const int at = static_cast<int>(largest - entries.begin());
  all.push_back({"largest of (P,P)", pp, {}, at / task.T, at % task.T});
  if (task.T >= 5) all.push_back({"signal of (P,P)", signal, {}, 4, -1});
  const std::vector<InvariantMaps<RunningError>> terms = onset_terms(task, rule, highest_onset_term);
  for (Quantity& q : all) {
    q.coefficient = value(q, c[static_cast<std::size_t>(q.order)]);
    if (q.coefficient.is_zero()) continue;
    std::vector<RunningError> x;
    for (const InvariantMaps<RunningError>& term : terms) x.push_back(value(q, term));
    q.ratio.emplace_back(x, q.order);
  }
  return all;
}

// x[quantity][time] at step t0/steps, with the rounding error of the same operations.
using Samples = std::vector<std::vector<RunningError>>;
Samples descend(const FlowOptions& base, const FlowRule& rule, const std::vector<Quantity>& all, int steps) {
  FlowOptions options = base;
  options.rate = first_time / steps;
  options.steps = steps * times;
  Flow flow(options);
  InvariantMaps<RunningError> twin(options.task.N, options.task.T);
  Samples table(all.size());
  while (!flow.finished()) {
    flow.update();
    twin.add(RunningError(options.rate), flow_descent(options.task, twin, rule));
    if (flow.step() % steps != 0) continue;
    for (std::size_t i = 0; i < all.size(); ++i) table[i].push_back({value(all[i], flow.maps()), value(all[i], twin).error});
  }
  return table;
}

// One thread a level: the sums over a few dozen orbits are too short to be shared.
struct Levels {
  std::vector<Samples> all;
  Levels& operator+=(const Levels& other) {
    all.insert(all.end(), other.all.begin(), other.all.end());
    return *this;
  }
};

// Euler's error is a series in the step: each column of the triangle removes one power of it. The last change bounds what is left.
struct Limit {
  double value, error;
};
Limit extrapolate(std::vector<RunningError> x) {
  RunningError before = x.back();
  for (int power = 1; x.size() > 1; ++power) {
    before = x.back();
    const double factor = std::pow(2, power);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) x[i] = (RunningError(factor) * x[i + 1] - x[i]) / RunningError(factor - 1);
    x.pop_back();
  }
  return {x.front().value, std::abs(x.front().value - before.value) + x.front().error};
}

// log(x/(c t^k)) = a + slope log t + b_1 t + .. + b_n t^n.
struct Law {
  double slope, log_constant;
};
Law fit(const std::vector<double>& t, const std::vector<double>& y, int terms) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(2 + terms));
  for (const double time : t) {
    columns[0].push_back(1);
    columns[1].push_back(std::log(time));
    for (int n = 1; n <= terms; ++n) columns[static_cast<std::size_t>(1 + n)].push_back(std::pow(time, n));
  }
  const Fit found = fit_linear(columns, y, std::vector<double>(y.size(), 1.0));
  return {found.coefficient[1], found.coefficient[0]};
}

struct Measured {
  std::vector<double> time, ratio;  // x/(c t^k)
  std::vector<double> error;        // of the steps
  Law law;
  Budget slope, constant;  // truncation: the steps, and what the fit leaves out of the expansion
};

// What the fit leaves out is computed from the exact terms alone: the same fit to the logarithm of 1 + r_1 t + .. + r_n t^n, which should give
// slope 0 and constant 1, and how far the remainder moves it.
Measured law_of(const std::vector<Limit>& x, const Quantity& q) {
  Measured m;
  std::vector<double> y, exact, error, remainder;
  const OnsetRatio& ratio = q.ratio.front();
  for (int i = 0; i < times; ++i) {
    const Limit& limit = x[static_cast<std::size_t>(i)];
    const double t = first_time * (i + 1), scale = to_double(q.coefficient) * std::pow(t, q.order);
    m.time.push_back(t);
    m.ratio.push_back(limit.value / scale);
    m.error.push_back(limit.error / std::abs(scale));
    y.push_back(std::log(m.ratio.back()));
    exact.push_back(std::log(ratio.value(t)));
    error.push_back(m.error.back() / std::abs(m.ratio.back()));
    remainder.push_back(ratio.error(t) / std::abs(ratio.value(t)));
  }
  constexpr int kept = 2;
  m.law = fit(m.time, y, kept);
  const auto count = [&](const Law& moved, const Law& from) {
    m.slope.truncation += std::abs(moved.slope - from.slope);
    m.constant.truncation += std::abs(moved.log_constant - from.log_constant);
  };
  const Law left_out = fit(m.time, exact, kept);
  count(left_out, {0, 0});
  for (std::size_t i = 0; i < y.size(); ++i)
    for (const auto& [of, by, from] : {std::tuple{&y, error[i], m.law}, {&exact, remainder[i], left_out}}) {
      std::vector<double> moved = *of;
      moved[i] += by;
      count(fit(m.time, moved, kept), from);
    }
  // a + da on either side: exp(a) moves by at most exp(a) (exp(da) - 1).
  m.constant.truncation = std::exp(m.law.log_constant) * std::expm1(m.constant.truncation);
  return m;
}

// What is stated: orders of (P,P) later by `later`, constants `factor` times the exact ones, and `next`: with the next orders.
struct Statement {
  int later = 0;
  double factor = 1;
  bool next = true;
};

std::vector<Entry> entries(const std::vector<Quantity>& all, const std::vector<std::vector<Limit>>& x, const Statement& says) {
  std::vector<Entry> list;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measured m = law_of(x[i], all[i]);
    const OnsetRatio& ratio = all[i].ratio.front();
    list.push_back(entry(all[i].name + " exponent", all[i].order + (i >= 2 ? says.later : 0), all[i].order + m.law.slope, m.slope, true));
    list.push_back(entry(all[i].name + " constant / exact", says.factor, std::exp(m.law.log_constant), m.constant, true));
    for (std::size_t j = 0; j < m.time.size(); ++j) {
      const double t = m.time[j], right = says.next ? ratio.value(t) : 1;
      list.push_back(entry(fmt::format("{} / first order at t = {:g}", all[i].name, t), says.factor * right, m.ratio[j],
                           Budget{0, m.error[j] + ratio.error(t), 0}, true));
    }
  }
  return list;
}

// The flow from t = 1/4 on, by Runge-Kutta steps of a quarter of the time, 2 at most: for the figure.
Series curve_of(const MinimalTask& task, Blocks blocks, const std::vector<Quantity>& all) {
  const FlowRule rule = flow_without("nothing", blocks);
  const int norm_order = blocks == Blocks::isolated ? 4 : 2;
  const auto norm = [&](const InvariantBlock<double>& block) {
    double sum = 0;
    for (const double entry : block.entries) sum += entry * entry;
    return std::sqrt(sum);
  };
  const InvariantBlock<Rational> first = onset_coefficients(task, rule, norm_order)[static_cast<std::size_t>(norm_order)].k1(Block::P, Block::P);
  InvariantBlock<double> first_pairs;
  for (const Rational& entry : first.entries) first_pairs.entries.push_back(to_double(entry));
  Series curve{std::string("onset_") + name(blocks), {"t"}, {}};
  for (const Quantity& q : all) curve.columns.insert(curve.columns.end(), {q.name, q.name + ", t^" + std::to_string(q.order)});
  curve.columns.insert(curve.columns.end(), {"norm of (P,P)", "norm of (P,P), t^" + std::to_string(norm_order)});
  InvariantMaps<double> maps(task.N, task.T);
  double t = 0;
  constexpr double longest = 128;
  while (t < longest) {
    const double h = std::clamp(t / 4, first_time / 4, 2.0);
    maps = runge_kutta_step(task, rule, maps, h);
    t += h;
    if (t < first_time) continue;
    std::vector<double> numbers = {t};
    for (const Quantity& q : all) numbers.insert(numbers.end(), {value(q, maps), to_double(q.coefficient) * std::pow(t, q.order)});
    numbers.insert(numbers.end(), {norm(maps.k1(Block::P, Block::P)), norm(first_pairs) * std::pow(t, norm_order)});
    curve.rows.push_back(numbers);
  }
  return curve;
}

struct Curve {
  Series series;
  Curve& operator+=(const Curve& other) {
    series = other.series;
    return *this;
  }
};

}  // namespace

Row onset_flow(const std::string& claim, const MinimalTask& task, Blocks blocks) {
  const auto run = [&](Blocks which, const std::string& without, const std::vector<Quantity>& all) {
    FlowOptions options;
    options.task = task;
    options.blocks = which;
    options.without = without;
    const FlowRule rule = flow_without(without, which);
    const Levels by_level = ordered_sum(levels, 1, Levels{}, [&](std::int64_t level, Levels& into) {
      into.all.push_back(descend(options, rule, all, steps_to_first[level]));
    });
    std::vector<std::vector<Limit>> x(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < times; ++j) {
        std::vector<RunningError> series;
        for (const Samples& table : by_level.all) series.push_back(table[i][j]);
        x[i].push_back(extrapolate(std::move(series)));
      }
    return x;
  };
  const std::vector<Quantity> all = quantities(task, blocks, flow_without("nothing", blocks));
  if (std::any_of(all.begin(), all.end(), [](const Quantity& q) { return q.coefficient.is_zero(); }))
    return not_applicable(claim, "flow", task.describe(), "no first coefficient is zero");
  const auto x = run(blocks, "nothing", all);
  const Blocks other = blocks == Blocks::isolated ? Blocks::full : Blocks::isolated;
  const auto against = [&](const Statement& says) { return [&, says] { return entries(all, x, says); }; };
  const std::vector<Control> controls = {
      {"(P,P) one order later", "exponents of (P,P) larger by one", against({1, 1, true})},
      {"(P,P) one order earlier", "exponents of (P,P) smaller by one", against({-1, 1, true})},
      {"factor 1.2", "every constant a fifth too large", against({0, 1.2, true})},
      {"first order alone", "the next orders left out of the curves", against({0, 1, false})},
      {"other blocks", "the flow with full blocks for isolated, or isolated for full",
       [&] { return entries(all, run(other, "nothing", all), {}); }},
      {"p_hat = 1/N and full", "the flow with all blocks and the guess frozen",
       [&] { return entries(all, run(Blocks::full, "guess", all), {}); }}};
  Row row = judge(claim, "flow", task.describe(), Grade::enumerated, entries(all, x, {}), 0.125, controls,
                  "choose T and N at which the first coefficients are not close to zero");
  // In one thread: hundreds of sums too short to be shared.
  row.series.push_back(ordered_sum(1, 1, Curve{}, [&](std::int64_t, Curve& into) { into.series = curve_of(task, blocks, all); }).series);
  return row;
}

}  // namespace popgrad
