// T3.step2 at full softmax: the sign of the memory as a proof, and off = -diag/(N-1) at every order.
#include <string>

#include "core/running_error.hpp"
#include "numerics/ideal_population.hpp"
#include "theory/claims/full_softmax.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step2_parts.hpp"

namespace popgrad {
namespace {

constexpr int highest = 3;
using Orders = PowerSeries<Rational, highest>;  // in eta1

// W_O = size times all of the first step, W_K2 = W_K1 = 0; -dL/dW_K2.
template <class S>
IdealMaps<S> second_step(const MinimalTask& task, const std::function<S(const Rational&)>& sized) {
  const IdealMaps<Rational> first = population_descent(task, IdealMaps<Rational>(task.N, task.T), {true, false, false});
  IdealMaps<S> maps(task.N, task.T);
  for (std::size_t i = 0; i < maps.wo.size(); ++i) maps.wo[i] = sized(first.wo[i]);
  return population_descent(task, maps, {false, true, false});
}

// (E_i, R_j), i /= j, against factor times the diagonal of row i: `part` takes a value and its budget out of an entry of the map.
template <class S, class Part>
void add_rows(std::vector<Entry>& list, const IdealMaps<S>& descent, const Rational& factor, const std::string& suffix, const Part& part) {
  for (int i = 0; i < descent.at.N; ++i)
    for (int j = 0; j < descent.at.N; ++j) {
      if (i == j) continue;
      const int row = descent.at.at(Block::E, i), column = descent.at.at(Block::R, j);
      list.push_back(part("(" + coordinate_name(descent.at, row) + "," + coordinate_name(descent.at, column) + ")" + suffix, factor,
                          descent.k2(row, descent.at.at(Block::R, i)), descent.k2(row, column)));
    }
}

std::vector<Entry> orders(const IdealMaps<Orders>& descent, const Rational& factor) {
  std::vector<Entry> list;
  for (int order = 1; order <= highest; ++order)
    add_rows(list, descent, factor, " eta1^" + std::to_string(order),
             [order](const std::string& name, const Rational& by, const Orders& diag, const Orders& off) {
               return exact_entry(name, Rational(by * diag[order]), off[order], true);
             });
  return list;
}

std::vector<Entry> at_size(const IdealMaps<RunningError>& descent, const Rational& factor) {
  std::vector<Entry> list;
  add_rows(list, descent, factor, "",
           [](const std::string& name, const Rational& by, const RunningError& diag, const RunningError& off) {
             const RunningError right = diag * RunningError(to_double(by), std::abs(to_double(by)) * 0x1p-53);
             Budget budget;
             budget.roundoff = right.error + off.error;
             return entry(name, right.value, off.value, budget, true);
           });
  return list;
}

MinimalTask weighted(MinimalTask task) {
  for (int k = 1; k <= task.N; ++k) task.output_weights.push_back(k);
  return task;
}

template <class S>
Row rows_add_up(const MinimalTask& task, const std::string& part, Grade grade, const std::function<S(const Rational&)>& sized,
                std::vector<Entry> (*entries)(const IdealMaps<S>&, const Rational&)) {
  const IdealMaps<S> measured = second_step<S>(task, sized);
  const Rational right = Rational(-1) / (task.N - 1);
  const auto with = [&](const Rational& wrong) { return [&, wrong] { return entries(measured, wrong); }; };
  const std::vector<Control> controls = {
      {"off = 0", "a block that is its diagonal", with(0)},
      {"-1/N", "rows that add up to diag/N", with(Rational(-1) / task.N)},
      {"sign", "rows whose sum is twice the diagonal", with(-right)},
      {"factor 1.1", "ten per cent more", with(right * 11 / 10)},
      {"labels not uniform", "the hypothesis: P(o = k) proportional to k",
       [&] { return entries(second_step<S>(weighted(task), sized), right); }}};
  const std::vector<Entry> list = entries(measured, right);
  return judge("T3.step2", part, task.describe(), grade, list, default_effect(list), controls);
}

}  // namespace

Row step2_rows_exact(const MinimalTask& task) {
  return rows_add_up<Orders>(task, "off, orders 1..3", Grade::exact, [](const Rational& x) { return Orders::monomial(x, 1); }, &orders);
}

Row step2_rows_enumerated(const MinimalTask& task) {
  const double size = task.N * task.T;
  return rows_add_up<RunningError>(task, "off, order=full", Grade::enumerated, [size](const Rational& x) {
    return RunningError(size) * RunningError(to_double(x), std::abs(to_double(x)) * 0x1p-53);
  }, &at_size);
}

Row step2_certified(const MinimalTask& task) {
  std::vector<Entry> right, gradient;
  for (const HandedOn& way : handed_on_ways) {
    const StageSizes sizes = certified_sizes(task, way.handoff);
    const InvariantMaps<Interval> start = certified_start(task, way.handoff, way.blocks, 2, sizes);
    const CertifiedStage stage = certify_stage(2, certified_descent(task, start, {false, true, false}));
    const bool leading = leading_stage(task, way.handoff, way.blocks, 2, sizes).k2(Block::E, Block::R).diag > 0;
    const std::string name = std::string(way.name) + " (E,R) diag > off";
    right.push_back(certain_entry(name, leading, stage.positive));
    gradient.push_back(certain_entry(name, leading, turned_round(stage).positive));
  }
  return judge_certified("T3.step2", task, right, gradient);
}

}  // namespace popgrad
