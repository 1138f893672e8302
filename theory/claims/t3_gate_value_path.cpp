// T3.gate (c): with the full first step the first key matrix has a gradient at once, through the R block of W_O.
#include "numerics/ideal_population.hpp"
#include "numerics/scalar.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_gate_parts.hpp"
#include "theory/formulas/gate.hpp"
#include "theory/formulas/step1.hpp"

namespace popgrad {
namespace {

using Jet = PowerSeries<Rational, 1>;  // in eta1

// -dL/dW_K1 at W_K1 = W_K2 = 0 and W_O = eta1 `first`, coefficient of eta1; the R block of W_O dropped on demand.
IdealMaps<Jet> measure(const MinimalTask& task, const IdealMaps<Rational>& first, bool with_value_path) {
  IdealMaps<Jet> maps(task.N, task.T);
  for (int k = 0; k < task.N; ++k)
    for (int c = 0; c < maps.at.size(); ++c) {
      const bool remapped = c >= maps.at.first(Block::R) && c < maps.at.first(Block::S);
      if (with_value_path || !remapped) maps.u(k, c) = Jet::monomial(first.u(k, c), 1);
    }
  return population_descent(task, maps, {false, false, true});
}

struct Place {
  Block query, key;
  int row, column;  // 0-based in their blocks
};
using Prediction = std::function<Rational(const Place&)>;

std::vector<Entry> entries(const IdealMaps<Jet>& measured, const Prediction& predicted) {
  std::vector<Entry> list;
  for (const Block query : {Block::E, Block::P})
    for (const Block key : {Block::E, Block::P})
      for (int i = 0; i < measured.at.count(query); ++i)
        for (int j = 0; j < measured.at.count(key); ++j) {
          const int row = measured.at.at(query, i), column = measured.at.at(key, j);
          list.push_back(exact_entry("(" + coordinate_name(measured.at, row) + "," + coordinate_name(measured.at, column) + ")",
                                     predicted({query, key, i, j}), measured.k1(row, column)[1], true));
        }
  return list;
}

}  // namespace

Row gate_value_path(const ClaimContext&, const MinimalTask& task) {
  const auto predict = [](const MinimalTask& at) -> Prediction {
    return [at](const Place& p) { return gate_value_path_of(at, p.query, p.row, p.key, p.column); };
  };
  const Prediction right = predict(task);
  const IdealMaps<Rational> first = population_descent(task, IdealMaps<Rational>(task.N, task.T), {true, false, false});
  const IdealMaps<Jet> measured = measure(task, first, true);
  MinimalTask other = task;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  // Everything has the factor h_T, or the mean over lengths of h_T'/T'.
  const auto mean_h = [&](HarmonicEnd end) {
    Rational sum = 0;
    for (int length = task.shortest(); length <= task.T; ++length) sum += step1_h(end).evaluate_exact({{"T", length}}) / length;
    return sum;
  };
  const Rational further = mean_h(HarmonicEnd::one_more) / mean_h(HarmonicEnd::right);
  const auto with = [&](const std::function<Rational(const Place&)>& wrong) {
    return [&measured, wrong] { return entries(measured, wrong); };
  };
  const std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction", with([&](const Place& p) { return Rational(-right(p)); })},
      {"factor 1.1", "every coefficient ten per cent too large", with([&](const Place& p) { return Rational(right(p) * 11 / 10); })},
      {"attention 1/t dropped", "the first attention of row P_t taken as 1 instead of 1/t",
       with([&](const Place& p) { return p.query == Block::P ? Rational(right(p) * (p.row + 1)) : right(p); })},
      {"query and key swapped", "the transposed matrix",
       with([&](const Place& p) { return right({p.key, p.query, p.column, p.row}); })},
      {"row shifted", "the formula of row t + 1",
       with([&](const Place& p) { return p.query == Block::P ? right({p.query, p.key, (p.row + 1) % task.T, p.column}) : right(p); })},
      {"position shifted", "every position key one to the right",
       with([&](const Place& p) {
         return p.key == Block::P ? (p.column > 0 ? right({p.query, p.key, p.row, p.column - 1}) : Rational(0)) : right(p);
       })},
      {"H(T) for H(T-1)", "h_T with its harmonic number one term further", with([&](const Place& p) { return Rational(right(p) * further); })},
      {"other background", "avoid for any, or any for avoid: (E,E) alone knows it", with(predict(other)), [](const std::string& name) {
         return name.find("(E") == 0 && name.find(",E") != std::string::npos;
       }},
      {"hand-off swapped", "the hypothesis: W_O* for the first step", [&] {
         return entries(measure(task, ideal_memories<Rational>(task.N, task.T), true), right);
       }},
      {"R block dropped", "the hypothesis: W_O without its R block", [&] { return entries(measure(task, first, false), right); }}};
  const std::vector<Entry> list = entries(measured, right);
  return judge("T3.gate", "value path", task.describe(), Grade::exact, list, default_effect(list), controls);
}

}  // namespace popgrad
