// Columns gate, step 1 and step 2 of the lattice: leading order, closed forms against engines that know none.
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

Row judged(const MinimalTask& task, const Prediction& entries) {
  const std::vector<Entry> list = entries(task, Rational(1));
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
  cell.formation = signal > 0 ? Formation::forms : Formation::fails;
  cell.margin = to_double(signal);
  cell.exact = to_string(signal);
  cell.row = std::move(row);
  return cell;
}

// (P,P) of -dL/dW_K1 at W_K1 = W_K2 = 0, first order in W_O: the odd part of the terms of first and second order.
std::vector<Rational> first_order(const MinimalTask& task, const InvariantMaps<Rational>& wo) {
  InvariantMaps<Rational> minus(task.N, task.T);
  minus.add(Rational(-1), wo);
  InvariantMaps<Rational> odd = leading_descent(task, wo, 3);
  odd.add(Rational(-1), leading_descent(task, minus, 3));
  std::vector<Rational> entries = odd.k1(Block::P, Block::P).entries;
  for (Rational& x : entries) x /= 2;
  return entries;
}

Rational first_value_path(const MinimalTask& task, int t, int s) {
  return task.query == Query::last ? gate_value_path(task.N, task.T, task.background, Block::P, t, Block::P, s)
                                   : gate_value_path_any_length(task.N, task.T, task.background, Block::P, t, Block::P, s);
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
    const Handoff from = blocks == Blocks::full ? handoff : Handoff::ideal;  // isolated steps are multiples of the memory
    if (from == Handoff::actual) return first_order(task, moment_terms(task, from, blocks, 1).front().descent);
    return first_order(task, isolate(invariant_memories<Rational>(task.N, task.T), 1));
  };
  const std::vector<Rational> measured = measure(switches.handoff, switches.blocks);
  const auto entries = [T = task.T](const std::vector<Rational>& values,
                                    const std::function<Rational(int, int)>& predicted) {
    std::vector<Entry> list;
    for (int t = 1; t < T - 1; ++t)
      for (int s = 0; s <= t; ++s) {
        const Rational right = predicted(t, s);
        list.push_back(exact_entry("(P" + std::to_string(t + 1) + ",P" + std::to_string(s + 1) + ")", right,
                                   values[static_cast<std::size_t>(t * T + s)], !right.is_zero()));
      }
    return list;
  };
  const auto closed = [](int, int) { return Rational(0); };
  const auto path = [&](const Rational& factor, int shift) {
    return [&task, factor, shift](int t, int s) { return Rational(factor * first_value_path(task, t + shift, s)); };
  };
  std::vector<Control> controls;
  if (open) {
    controls = {
        {"closed", "no gradient at all", [&] { return entries(measured, closed); }},
        {"sign", "the gradient instead of the descent direction", [&] { return entries(measured, path(Rational(-1), 0)); }},
        {"row shifted", "the formula of row t + 1", [&] { return entries(measured, path(Rational(1), 1)); }},
        {"without (U,R)", "the hypothesis: isolated blocks handed on",
         [&] { return entries(measure(Handoff::actual, Blocks::isolated), path(Rational(1), 0)); }}};
  } else {
    const auto under = [&](std::vector<Rational> values) { return [&, values] { return entries(values, closed); }; };
    const auto memory =
        moment_terms(task, Handoff::ideal, Blocks::isolated, 3).back().descent.k1(Block::P, Block::P).entries;
    controls = {
        {"with (U,R)", "the hypothesis: all of the first step handed on", under(measure(Handoff::actual, Blocks::full))},
        {"with W_K2*", "the hypothesis: W_K2 trained already", under(memory)},
        {"open", "the value path's closed form", [&] { return entries(measured, path(Rational(1), 0)); }},
        {"open, reversed", "its negative", [&] { return entries(measured, path(Rational(-1), 0)); }}};
  }
  const std::vector<Entry> list = open ? entries(measured, path(Rational(1), 0)) : entries(measured, closed);
  cell.row = judge("", "", "", Grade::exact, list, default_effect(list), controls);
  cell.formation = open ? Formation::fails : Formation::forms;
  for (const Rational& x : measured) cell.margin = std::min(cell.margin, -std::abs(to_double(x)));
  if (open)
    cell.because =
        "W_O (U,R) opens a value path: W_K1 gets a gradient before W_K2 is trained; isolated blocks close it, exactly";
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
  if (cell.formation == Formation::forms) return cell;
  const bool restored =
      switches.blocks == Blocks::full && switches.handoff == Handoff::actual && signal(Blocks::isolated).contrast() > 0;
  cell.because = restored ? "W_O (U,R) turns the sign; without it the memory forms"
                          : "no block: W_O (U,E) alone gives (E,R) no positive signal at this size, the roles of trigger "
                            "and output exchanged weigh more";
  return cell;
}

}  // namespace popgrad
