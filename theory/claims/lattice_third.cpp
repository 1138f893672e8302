// Column step 3 of the lattice: does every row 2 <= t <= T-1 of (P,P) recall t-1 for all small enough sizes?
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/certified_stages.hpp"
#include "numerics/leading_pass.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/orbits.hpp"
#include "theory/claims/lattice_cells.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/value_path.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

using Entries = std::vector<Rational>;  // T x T

const Rational& at(const Entries& entries, int T, int t, int s) { return entries[static_cast<std::size_t>(t * T + s)]; }

// P_{t-1} minus the best other key, in the worst row.
Rational worst_margin(const Entries& entries, int T) {
  Rational worst;
  bool first = true;
  for (int t = 1; t < T - 1; ++t)
    for (int s = 0; s <= t; ++s) {
      if (s == t - 1) continue;
      const Rational margin = at(entries, T, t, t - 1) - at(entries, T, t, s);
      if (first || margin < worst) worst = margin;
      first = false;
    }
  return worst;
}

double widest_difference(const Entries& entries, int T) {
  Rational widest = 0;
  for (int t = 1; t < T - 1; ++t)
    for (int s = 0; s <= t; ++s)
      for (int r = 0; r < s; ++r)
        widest = std::max(widest, Rational(abs(Rational(at(entries, T, t, s) - at(entries, T, t, r)))));
  return to_double(widest);
}

using Matrix = std::function<Rational(const MinimalTask&, int t, int s)>;

Row judged(const MinimalTask& task, const Entries& measured, const Matrix& predicted) {
  const auto entries = [&](const MinimalTask& of, int shift, const Rational& factor) {
    std::vector<Entry> list;
    for (int t = 1; t < task.T - 1; ++t)
      for (int s = 0; s <= t; ++s) {
        const Rational right = factor * predicted(of, t, s >= shift ? s - shift : t);
        list.push_back(
            exact_entry(fmt::format("(P{},P{})", t + 1, s + 1), right, at(measured, task.T, t, s), !right.is_zero()));
      }
    return list;
  };
  MinimalTask longer = task, longest = task, larger = task, largest = task;
  ++longer.T;
  longest.T += 2;
  ++larger.N;
  largest.N += 2;
  const std::vector<Entry> list = entries(task, 0, 1);
  // Of zeros sign, factor and place change nothing.
  if (std::all_of(list.begin(), list.end(), [](const Entry& e) { return !e.signal; }))
    return judge("", "", "", Grade::exact, list, 0,
                 {{"T + 1", "the closed form of the next length", [&] { return entries(longer, 0, 1); }},
                  {"T + 2", "that of the one after", [&] { return entries(longest, 0, 1); }},
                  {"N + 1", "the closed form of the next vocabulary", [&] { return entries(larger, 0, 1); }},
                  {"N + 2", "that of the one after", [&] { return entries(largest, 0, 1); }}});
  return judge("", "", "", Grade::exact, list, default_effect(list),
               {{"sign", "the gradient instead of the descent direction", [&] { return entries(task, 0, -1); }},
                {"factor 1.1", "ten per cent too large", [&] { return entries(task, 0, Rational(11, 10)); }},
                {"T + 1", "the closed form of the next length", [&] { return entries(longer, 0, 1); }},
                {"key shifted", "every entry one key to the right", [&] { return entries(task, 1, 1); }}});
}

LatticeCell memory_alone(const LatticeSwitches& switches) {
  const MinimalTask& task = switches.task;
  const bool actual = switches.handoff == Handoff::actual;
  const Entries measured =
      moment_terms(task, switches.handoff, Blocks::isolated, 3).back().descent.k1(Block::P, Block::P).entries;
  // W_O = alpha (delta - 1/N) does what alpha W_O* does, and so for W_K2.
  const Matrix predicted = [actual](const MinimalTask& of, int t, int s) {
    Rational sizes = 1;
    if (actual) {
      const Rational diag = of.query == Query::last ? step1_ue_diag().evaluate_exact({{"N", of.N}, {"T", of.T}})
                                                    : step1_any(step1_ue_diag(), of.T, {{"N", of.N}}, 4);
      sizes = diag * of.N / (of.N - 1) * step2_diag_exact(of, Handoff::actual, Blocks::isolated) * of.N / (of.N - 1);
    }
    return Rational(sizes * step3_entry_exact(of, t, s));
  };
  const Rational margin = worst_margin(measured, task.T);
  LatticeCell cell;
  cell.formation = margin > 0 ? Formation::forms : margin < 0 ? Formation::fails : Formation::ties;
  cell.margin = to_double(margin);
  cell.exact = to_string(margin);
  cell.row = judged(task, measured, predicted);
  if (margin.is_zero())
    cell.because = "a tie: the memory's key and another are exactly as large";
  else if (margin < 0)
    cell.because =
        actual && step2_diag_exact(task, Handoff::actual, Blocks::isolated) <= 0
            ? "no block: step 2 handed on (E,R) without a positive signal"
            : "no block: half of the outputs are triggers at N = 2, so that P_t is the trigger that holds the output";
  return cell;
}

const Entries& pp(const InvariantMaps<Rational>& descent) { return descent.k1(Block::P, Block::P).entries; }

void add(Entries& sum, int factor, const Entries& terms) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * terms[i];
}

// (P,P) of the third step after two full actual steps, leading order, per eta1 (`value`) and per eta1^2 eta2 (`mixed`).
struct FullThird {
  Entries value, mixed;
};
FullThird full_third(const MinimalTask& task) {
  InvariantMaps<Rational> plus = moment_terms(task, Handoff::actual, Blocks::full, 1).front().descent, minus(task.N, task.T);
  minus.add(Rational(-1), plus);
  const Entries at_plus = pp(leading_descent(task, plus, 3));
  FullThird third{at_plus, at_plus};
  add(third.value, -1, pp(leading_descent(task, minus, 3)));  // what is of second order in W_O cancels
  for (Rational& x : third.value) x /= 2;
  plus += moment_terms(task, Handoff::actual, Blocks::full, 2).front().descent;
  third.mixed = pp(leading_descent(task, plus, 3));
  add(third.mixed, -1, at_plus);
  return third;
}

// With W_O (U,E) alone, what each block of W_K2 adds to the third step: it is linear in W_K2 then.
std::string without_value_path(const MinimalTask& task) {
  const InvariantMaps<Rational> wo = isolate(invariant_memories<Rational>(task.N, task.T), 1);
  const InvariantMaps<Rational> wk2 = moment_terms(task, Handoff::ideal, Blocks::full, 2).front().descent;
  Entries sum(static_cast<std::size_t>(task.T * task.T), Rational(0));
  std::vector<std::pair<MapBlock, Entries>> left;
  KeptBlocks none(Blocks::isolated);
  for (int stage = 1; stage <= stages; ++stage) none = none.without(memory_block(stage));
  for (const MapBlock& block : acting_blocks()) {
    if (block.stage != 2) continue;
    InvariantMaps<Rational> at = wo;
    at += none.with(block).of(wk2);
    const Entries part = pp(leading_descent(task, at, 3));
    add(sum, 1, part);
    if (!(block == memory_block(2))) left.emplace_back(block, part);
  }
  if (worst_margin(sum, task.T) > 0) return "without it the memory forms";
  // One after the other, by the best margin without it.
  std::string dropped;
  for (int round = 0; round < 5 && !left.empty(); ++round) {
    const auto without = [&](const Entries& part) {
      Entries rest = sum;
      add(rest, -1, part);
      return worst_margin(rest, task.T);
    };
    auto best = left.begin();
    Rational margin = without(best->second);
    for (auto it = std::next(left.begin()); it != left.end(); ++it)
      if (const Rational here = without(it->second); here > margin) {
        margin = here;
        best = it;
      }
    add(sum, -1, best->second);
    dropped += ", " + name(best->first);
    left.erase(best);
    if (margin > 0) return "the memory forms without it" + dropped;
  }
  return "without it the memory does not form either, nor without five more blocks of W_K2";
}

std::string diagnosis(const MinimalTask& task, const FullThird& third) {
  // eta1^2 eta2 = eta1 / c2 where eta2 makes the contrast of (E,R) 1, c2 its contrast per eta1.
  const double c2 = std::abs(
      to_double(moment_terms(task, Handoff::actual, Blocks::full, 2).front().descent.k2(Block::E, Block::R).contrast()));
  const double factor = widest_difference(third.value, task.T) / (widest_difference(third.mixed, task.T) / c2);
  return fmt::format(
      "W_O (U,R): its value path comes first (order eta1), {:.3g} times the term in eta1^2 eta2 at (E,R) contrast 1; row 2 "
      "prefers "
      "P_2; {}",
      factor, without_value_path(task));
}

LatticeCell all_blocks_handed_on(const LatticeSwitches& switches) {
  const MinimalTask& task = switches.task;
  LatticeCell cell;
  if (const auto refused = too_many_orbits("", "", task)) {
    cell.row = *refused;
    return cell;
  }
  const FullThird third = full_third(task);
  const Entries& lowest = third.value;
  const Matrix value_path = [](const MinimalTask& of, int t, int s) { return value_path_first(of, t, s); };
  cell.row = judged(task, lowest, value_path);
  const Rational margin = worst_margin(lowest, task.T);
  cell.margin = to_double(margin);
  cell.exact = to_string(margin);
  // Negative at order eta1 is negative for all small enough sizes; zero would leave it to the next monomial.
  cell.formation = margin < 0 ? Formation::fails : Formation::undecided;
  cell.because = diagnosis(task, third);
  return cell;
}

// P_{t-1} minus the best other key, in the worst row.
double worst_margin(const InvariantMaps<double>& descent) {
  double worst = std::numeric_limits<double>::infinity();
  const auto& entries = descent.k1(Block::P, Block::P).entries;
  for (int t = 1; t < descent.T - 1; ++t) {
    const auto row = entries.begin() + t * descent.T;
    for (int s = 0; s <= t; ++s)
      if (s != t - 1) worst = std::min(worst, row[t - 1] - row[s]);
  }
  return worst;
}

// Largest |entry| of some blocks.
template <std::size_t n>
double largest_of(const std::array<InvariantBlock<double>, n>& blocks) {
  double largest = 0;
  for (const InvariantBlock<double>& block : blocks) {
    largest = std::max({largest, std::abs(block.diag), std::abs(block.off)});
    for (const double x : block.entries) largest = std::max(largest, std::abs(x));
  }
  return largest;
}

// Of a difference of two entries of the gradient. On a sequence an entry is a mean over positions of differences of logits,
// four blocks of W_O each, and for stage 3 times 1 + differences of scores, 16 blocks of W_K2; weights of sequences add up
// to one, and the rounding of a score is its own size more in the exponent.
double margin_roundoff(const MinimalTask& task, const InvariantMaps<double>& start, int stage) {
  double terms = 20.0 * task.T * task.T;
  for (int L = task.shortest(); L <= task.T; ++L) terms += bell_number(L) * L;
  const double logits = 8 * largest_of(start.wo), scores = 32 * largest_of(start.wk2);
  return roundoff_bound(terms + logits + scores, 2 * logits * (stage == 3 ? 1 + scores : 1));
}

}  // namespace

LatticeCell third_cell(const LatticeSwitches& switches) {
  return switches.handoff == Handoff::actual && switches.blocks == Blocks::full ? all_blocks_handed_on(switches)
                                                                                : memory_alone(switches);
}

std::string sign_at_sizes(const LatticeSwitches& switches, const Construction& engine, int stage, const StageSizes& sizes) {
  if (!engine.exact()) return "";
  const StepPlan plan{switches.handoff, KeptBlocks(switches.blocks), {1, 1, 1}};
  const InvariantMaps<double> start = planned_start(engine, plan, stage, sizes);
  const Wanted wanted{false, stage == 2, stage == 3};
  if (switches.task.T <= 7) {
    const CertifiedStage proof = certify_stage(stage, certified_descent(switches.task, start, wanted));
    if (proof.positive != Certainty::undecided) return proof.positive == Certainty::yes ? "+ certified" : "- certified";
  }
  const InvariantMaps<double> descent = orbit_descent(switches.task, start, wanted);
  const double margin = stage == 2 ? descent.k2(Block::E, Block::R).contrast() : worst_margin(descent);
  if (!(std::abs(margin) > margin_roundoff(switches.task, start, stage))) return "undecided";
  return margin > 0 ? "+ enumerated" : "- enumerated";
}

}  // namespace popgrad
