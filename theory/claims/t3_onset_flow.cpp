// T3.onset: gradient descent in small steps, in doubles, has the exponents and constants of the exact coefficients.
#include <algorithm>
#include <cmath>

#include "check/statistics.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/flow.hpp"
#include "numerics/onset.hpp"
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
  int row = 0, column = -1;  // of (P,P): an entry, or with column = -1 the signal of the row (1-based)
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
  for (Quantity& q : all) q.coefficient = value(q, c[static_cast<std::size_t>(q.order)]);
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
  Law law;
  Budget slope, constant;  // truncation: the steps, and how much the last term kept of the expansion moved the fit
};

Measured law_of(const std::vector<Limit>& x, const Quantity& q) {
  std::vector<double> t, y, error;
  for (int i = 0; i < times; ++i) {
    t.push_back(first_time * (i + 1));
    const double scale = to_double(q.coefficient) * std::pow(t.back(), q.order);
    y.push_back(std::log(x[static_cast<std::size_t>(i)].value / scale));
    error.push_back(x[static_cast<std::size_t>(i)].error / std::abs(x[static_cast<std::size_t>(i)].value));
  }
  Measured m;
  constexpr int kept = 2;
  m.law = fit(t, y, kept);
  const auto count = [&](const Law& moved) {
    m.slope.truncation += std::abs(moved.slope - m.law.slope);
    m.constant.truncation += std::abs(moved.log_constant - m.law.log_constant);
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::vector<double> moved = y;
    moved[i] += error[i];
    count(fit(t, moved, kept));
  }
  count(fit(t, y, kept - 1));
  // a + da on either side: exp(a) moves by at most exp(a) (exp(da) - 1).
  m.constant.truncation = std::exp(m.law.log_constant) * std::expm1(m.constant.truncation);
  return m;
}

std::vector<Entry> entries(const std::vector<Quantity>& all, const std::vector<std::vector<Limit>>& x, int later, double factor) {
  std::vector<Entry> list;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measured m = law_of(x[i], all[i]);
    list.push_back(entry(all[i].name + " exponent", all[i].order + (i >= 2 ? later : 0), all[i].order + m.law.slope, m.slope, true));
    list.push_back(entry(all[i].name + " constant / exact", factor, std::exp(m.law.log_constant), m.constant, true));
  }
  return list;
}

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
  const std::vector<Control> controls = {
      {"(P,P) one order later", "exponents of (P,P) larger by one", [&] { return entries(all, x, 1, 1); }},
      {"(P,P) one order earlier", "exponents of (P,P) smaller by one", [&] { return entries(all, x, -1, 1); }},
      {"factor 1.2", "every constant a fifth too large", [&] { return entries(all, x, 0, 1.2); }},
      {"other blocks", "the flow with full blocks for isolated, or isolated for full",
       [&] { return entries(all, run(other, "nothing", all), 0, 1); }},
      {"p_hat = 1/N and full", "the flow with all blocks and the guess frozen",
       [&] { return entries(all, run(Blocks::full, "guess", all), 0, 1); }}};
  Row row = judge(claim, "flow", task.describe(), Grade::enumerated, entries(all, x, 0, 1), 0.125, controls,
                  "choose T and N at which the first coefficients are not close to zero");
  Series curve{"onset", {"t"}, {}};
  for (const Quantity& q : all) {
    curve.columns.push_back(q.name);
    curve.columns.push_back(q.name + ", first order");
  }
  for (std::size_t j = 0; j < times; ++j) {
    const double t = first_time * static_cast<double>(j + 1);
    std::vector<double> numbers = {t};
    for (std::size_t i = 0; i < all.size(); ++i) {
      numbers.push_back(x[i][j].value);
      numbers.push_back(to_double(all[i].coefficient) * std::pow(t, all[i].order));
    }
    curve.rows.push_back(numbers);
  }
  row.series.push_back(curve);
  return row;
}

}  // namespace popgrad
