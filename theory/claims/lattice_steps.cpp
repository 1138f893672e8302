// Columns gate, step 1 and step 2 of the lattice: leading order, closed forms against engines that know none.
#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/leading_pass.hpp"
#include "numerics/moment_terms.hpp"
#include "theory/claims/lattice_cells.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/gate.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {
namespace {

using Prediction = std::function<std::vector<Entry>(const MinimalTask&, const Rational& factor)>;

// The same comparison with the prediction made wrong: its sign, its size, and of other sizes of the task.
std::vector<Control> wrong_predictions(const MinimalTask& task, const Prediction& entries) {
  MinimalTask longer = task, larger = task;
  ++longer.T;
  ++larger.N;
  return {{"sign", "the gradient instead of the descent direction", [=] { return entries(task, Rational(-1)); }},
          {"factor 1.1", "ten per cent too large", [=] { return entries(task, Rational(11, 10)); }},
          {"T + 1", "the closed form of the next length", [=] { return entries(longer, Rational(1)); }},
          {"N + 1", "the closed form of the next vocabulary", [=] { return entries(larger, Rational(1)); }}};
}

// Of a prediction that is zero: sign and factor change nothing there.
std::vector<Control> other_sizes(const MinimalTask& task, const Prediction& entries) {
  std::vector<Control> controls;
  for (const int more : {1, 2}) {
    MinimalTask longer = task, larger = task;
    longer.T += more;
    larger.N += more;
    const std::string by = " + " + std::to_string(more);
    controls.push_back({"T" + by, "the closed form of another length", [=] { return entries(longer, Rational(1)); }});
    controls.push_back({"N" + by, "the closed form of another vocabulary", [=] { return entries(larger, Rational(1)); }});
  }
  return controls;
}

Row judged(const MinimalTask& task, const Prediction& entries) {
  const std::vector<Entry> list = entries(task, Rational(1));
  if (list.front().predicted == 0) return judge("", "", "", Grade::exact, list, 0, other_sizes(task, entries));
  return judge("", "", "", Grade::exact, list, default_effect(list), wrong_predictions(task, entries));
}

// A token-token block against diag and off = -diag/(N-1).
Prediction token_block(const InvariantBlock<Rational>& measured, const std::function<Rational(const MinimalTask&)>& diag) {
  return [=](const MinimalTask& at, const Rational& factor) {
    const Rational right = factor * diag(at);
    return std::vector<Entry>{exact_entry("diag", right, measured.diag, true),
                              exact_entry("off", Rational(-right / (at.N - 1)), measured.off, true)};
  };
}

LatticeCell signal_cell(const Rational& signal, Row row) {
  LatticeCell cell;
  cell.formation = signal > 0 ? Formation::forms : signal < 0 ? Formation::fails : Formation::ties;
  if (signal.is_zero()) cell.because = "a tie: the signal is exactly zero";
  cell.margin = to_double(signal);
  cell.exact = to_string(signal);
  cell.row = std::move(row);
  return cell;
}

using GateBlocks = std::array<InvariantBlock<Rational>, 4>;  // InvariantMaps::wk1

// -dL/dW_K1 at W_K1 = W_K2 = 0, first order in W_O: the odd part of the terms of first and second order.
GateBlocks first_order(const MinimalTask& task, const InvariantMaps<Rational>& wo) {
  InvariantMaps<Rational> minus(task.N, task.T);
  minus.add(Rational(-1), wo);
  InvariantMaps<Rational> odd = leading_descent(task, wo, 3);
  odd.add(Rational(-1), leading_descent(task, minus, 3));
  for (InvariantBlock<Rational>& block : odd.wk1) {
    block.diag /= 2;
    block.off /= 2;
    for (Rational& x : block.entries) x /= 2;
  }
  return odd.wk1;
}

// One coefficient of W_K1: indices are 0-based in the ranges of the blocks.
struct Place {
  Block query = Block::E;
  int i = 0;
  Block key = Block::E;
  int j = 0;
};
using GatePrediction = std::function<Rational(const Place&)>;

Rational first_value_path(const MinimalTask& task, const Place& at) {
  return gate_value_path_of(task, at.query, at.i, at.key, at.j);
}

// All coefficients of all four blocks; of (E,E) the diagonal and one off it, of (E,P) and (P,E) one token.
std::vector<Entry> gate_entries(int T, const GateBlocks& measured, const GatePrediction& predicted) {
  const auto block = [&](Block query, Block key) -> const InvariantBlock<Rational>& {
    return measured[static_cast<std::size_t>(query) * 2 + static_cast<std::size_t>(key)];
  };
  std::vector<Entry> list;
  const auto compared = [&](const std::string& what, const Place& at, const Rational& value) {
    const Rational right = predicted(at);
    list.push_back(exact_entry(what, right, value, !right.is_zero()));
  };
  compared("(E,E) diag", {Block::E, 0, Block::E, 0}, block(Block::E, Block::E).diag);
  compared("(E,E) off", {Block::E, 0, Block::E, 1}, block(Block::E, Block::E).off);
  for (int t = 0; t < T; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const std::string position = "P" + std::to_string(t + 1);
    compared("(E," + position + ")", {Block::E, 0, Block::P, t}, block(Block::E, Block::P).entries[at]);
    compared("(" + position + ",E)", {Block::P, t, Block::E, 0}, block(Block::P, Block::E).entries[at]);
    for (int s = 0; s < T; ++s)
      compared("(" + position + ",P" + std::to_string(s + 1) + ")", {Block::P, t, Block::P, s},
               block(Block::P, Block::P).entries[static_cast<std::size_t>(t * T + s)]);
  }
  return list;
}

double largest_of(const GateBlocks& blocks) {
  double largest = 0;
  for (const InvariantBlock<Rational>& block : blocks) {
    largest = std::max({largest, std::abs(to_double(block.diag)), std::abs(to_double(block.off))});
    for (const Rational& x : block.entries) largest = std::max(largest, std::abs(to_double(x)));
  }
  return largest;
}

}  // namespace

LatticeCell gate_cell(const LatticeSwitches& switches) {
  const MinimalTask& task = switches.task;
  LatticeCell cell;
  if (const auto refused = too_many_orbits("", "", task)) {
    cell.row = *refused;
    return cell;
  }
  const bool open = switches.handoff == Handoff::actual && switches.blocks == Blocks::full;
  const auto measure = [&](Handoff handoff, Blocks blocks) {
    InvariantMaps<Rational> wo = handoff == Handoff::actual
                                     ? moment_terms(task, Handoff::actual, Blocks::full, 1).front().descent
                                     : invariant_memories<Rational>(task.N, task.T);
    // An ideal hand-off is W_O* alone, whatever blocks its own step keeps.
    if (handoff == Handoff::ideal || blocks == Blocks::isolated) wo = isolate(wo, 1);
    return first_order(task, wo);
  };
  const GateBlocks measured = measure(switches.handoff, switches.blocks);
  const auto entries = [T = task.T](const GateBlocks& values, const GatePrediction& predicted) {
    return gate_entries(T, values, predicted);
  };
  const GatePrediction closed = [](const Place&) { return Rational(0); };
  const auto path = [&task](const Rational& factor) {
    return GatePrediction([&task, factor](const Place& at) { return Rational(factor * first_value_path(task, at)); });
  };
  const GatePrediction shifted = [&task](Place at) {
    if (at.query == Block::P) at.i += at.i + 1 < task.T ? 1 : -1;
    return first_value_path(task, at);
  };
  std::vector<Control> controls;
  if (open) {
    controls = {{"closed", "no gradient at all", [&] { return entries(measured, closed); }},
                {"sign", "the gradient instead of the descent direction", [&] { return entries(measured, path(-1)); }},
                {"row shifted", "the formula of row t + 1", [&] { return entries(measured, shifted); }},
                {"without (U,R)", "the hypothesis: isolated blocks handed on",
                 [&] { return entries(measure(Handoff::actual, Blocks::isolated), path(1)); }}};
  } else {
    const auto under = [&](GateBlocks values) { return [&, values] { return entries(values, closed); }; };
    controls = {
        {"with (U,R)", "the hypothesis: all of the first step handed on", under(measure(Handoff::actual, Blocks::full))},
        {"with W_K2*", "the hypothesis: W_K2 trained already",
         under(moment_terms(task, Handoff::ideal, Blocks::isolated, 3).back().descent.wk1)},
        {"open", "the value path's closed form", [&] { return entries(measured, path(1)); }},
        {"open, reversed", "its negative", [&] { return entries(measured, path(-1)); }}};
  }
  const std::vector<Entry> list = entries(measured, open ? path(1) : closed);
  cell.row = judge("", "", "", Grade::exact, list, default_effect(list), controls);
  // As measured, whatever was predicted.
  const double largest = largest_of(measured);
  cell.margin = -largest;
  cell.formation = largest > 0 ? Formation::fails : Formation::forms;
  if (cell.formation == Formation::fails)
    cell.because =
        open ? "W_O (U,R) opens a value path: W_K1 gets a gradient before W_K2 is trained; isolated blocks close it, exactly"
             : "W_K1 gets a gradient before W_K2 is trained, which was not predicted";
  return cell;
}

LatticeCell first_cell(const LatticeSwitches& switches) {
  const auto measured = moment_terms(switches.task, Handoff::actual, Blocks::full, 1).front().descent.u(Block::E);
  const auto diag = [](const MinimalTask& at) {
    return at.query == Query::last ? step1_ue_diag().evaluate_exact({{"N", at.N}, {"T", at.T}})
                                   : step1_any(step1_ue_diag(), at.T, {{"N", at.N}}, 4);
  };
  return signal_cell(measured.contrast(), judged(switches.task, token_block(measured, diag)));
}

LatticeCell second_cell(const LatticeSwitches& switches) {
  const auto signal = [&](Blocks blocks) {
    return moment_terms(switches.task, switches.handoff, blocks, 2).front().descent.k2(Block::E, Block::R);
  };
  const auto measured = signal(switches.blocks);
  const auto diag = [&switches](const MinimalTask& at) { return step2_diag_exact(at, switches.handoff, switches.blocks); };
  LatticeCell cell = signal_cell(measured.contrast(), judged(switches.task, token_block(measured, diag)));
  if (cell.formation != Formation::fails) return cell;
  const bool restored =
      switches.blocks == Blocks::full && switches.handoff == Handoff::actual && signal(Blocks::isolated).contrast() > 0;
  cell.because = restored ? "W_O (U,R) turns the sign; without it the memory forms"
                          : "no block: W_O (U,E) alone gives (E,R) no positive signal at this size, the roles of trigger "
                            "and output exchanged weigh more";
  return cell;
}

}  // namespace popgrad
