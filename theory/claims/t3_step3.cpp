// T3.step3: the first step of W_K1, its block (P,P), where the second attention helps: the coefficient of alpha beta, or eta1^2 eta2.
#include <algorithm>
#include <string>

#include "numerics/stage_terms.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/figure_series.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step3_parts.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {

std::vector<Entry> position_entries(const InvariantMaps<Rational>& measured, const PositionPairs& predicted) {
  std::vector<Entry> list;
  const int T = measured.T;
  for (int t = 1; t < T; ++t)
    for (int s = 0; s < T; ++s) {
      const Rational right = predicted(t, s);
      list.push_back(exact_entry("(P" + std::to_string(t + 1) + ",P" + std::to_string(s + 1) + ")", right,
                                 measured.k1(Block::P, Block::P).entries[static_cast<std::size_t>(t * T + s)], !right.is_zero()));
    }
  return list;
}

namespace {

// W_O = alpha (delta - 1/N) does what alpha W_O* does, and so for W_K2: with isolated steps the coefficient of eta1^2 eta2 is that of alpha
// beta times the contrasts of the steps.
Rational step_sizes(const MinimalTask& task) {
  const auto first = [&](const Formula& form) {
    return task.query == Query::last ? form.evaluate_exact({{"N", task.N}, {"T", task.T}}) : step1_any(form, task.T, {{"N", task.N}}, 4);
  };
  const Rational second = step2_diag_exact(task, Handoff::actual, Blocks::isolated);
  return (first(step1_ue_diag()) - first(step1_ue_off())) * second * task.N / (task.N - 1);
}

}  // namespace

Row step3_memory(const MinimalTask& task, bool actual) {
  const InvariantMaps<Rational> measured = stage_terms(task, actual ? Handoff::actual : Handoff::ideal, Blocks::isolated, 3).back().descent;
  const Rational sizes = actual ? step_sizes(task) : Rational(1);
  const PositionPairs right = [&](int t, int s) { return Rational(sizes * step3_entry_exact(task, t, s)); };
  MinimalTask longer = task, other = task;
  ++longer.T;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  const auto with = [&](const PositionPairs& wrong) { return [&measured, wrong] { return position_entries(measured, wrong); }; };
  const std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction", with([&](int t, int s) { return Rational(-right(t, s)); })},
      {"factor 1.1", "ten per cent too large", with([&](int t, int s) { return Rational(right(t, s) * 11 / 10); })},
      {"position shifted", "every entry one key to the right: the memory of t instead of t - 1",
       with([&](int t, int s) { return s > 0 ? right(t, s - 1) : right(t, t); })},
      {"T + 1", "the closed form of the next length", with([&](int t, int s) { return Rational(sizes * step3_entry_exact(longer, t, s)); })},
      {"other background", "avoid for any, or any for avoid", with([&](int t, int s) { return Rational(sizes * step3_entry_exact(other, t, s)); })},
      {"hand-off swapped", "the coefficient of the other hand-off", with([&](int t, int s) {
         return Rational((actual ? Rational(1) : step_sizes(task)) * step3_entry_exact(task, t, s));
       })}};
  const std::vector<Entry> list = position_entries(measured, right);
  return judge("T3.step3", actual ? "actual, isolated" : "ideal", task.describe(), Grade::exact, list, default_effect(list), controls);
}

namespace {

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  for (const auto& [N, T] : sizes(context, {{4, 6}, {6, 7}}))
    for (const Background background : backgrounds(context))
      for (const Query query : {Query::last, Query::any}) {
        if (context.query ? query != *context.query : (query == Query::any && T != 6)) continue;
        const MinimalTask task{N, T, background, query, {}};
        task.validate();
        context.progress(task.describe());
        const auto refused = too_many_orbits("T3.step3", "ideal", task);
        if (refused) {
          rows.push_back(*refused);
          continue;
        }
        for (const bool actual : {false, true}) rows.push_back(timed([&] { return step3_memory(task, actual); }));
        if (carries_picture(context, task)) rows.back().series.push_back(gradient_picture(task, 3));
      }
  for (const Background background : backgrounds(context))
    for (const Query query : {Query::last, Query::any}) {
      if (query != context.query.value_or(query)) continue;
      const auto [N, T] = sizes(context, {query == Query::last ? std::pair{4, 6} : std::pair{3, 5}}).front();
      const MinimalTask task{N, T, background, query, {}};
      context.progress(task.describe() + " full");
      const auto refused = too_many_orbits("T3.step3", "full", task);
      if (refused)
        rows.push_back(*refused);
      else
        for (Row& row : step3_monomials(task)) rows.push_back(std::move(row));
    }
  if (context.N || context.T) return rows;
  for (const Background background : backgrounds(context)) {
    context.progress("full softmax");
    for (const Query query : {Query::last, Query::any})
      if (query == context.query.value_or(query)) rows.push_back(timed([&] { return step3_certified({24, 6, background, query, {}}); }));
    if (context.query != Query::any) rows.push_back(timed([&] { return step3_full_region(background, 5, 6); }));
  }
  for (const Query query : {Query::last, Query::any})
    if (query == context.query.value_or(query))
      for (Row& row : step3_regions(context, query, 40)) rows.push_back(std::move(row));
  rows.back().series.push_back(step3_margin_map(backgrounds(context), 40));
  return rows;
}

}  // namespace

Claim claim_t3_step3() {
  return {"T3.step3",
          "The first population step of W_K1 from zero, block (P,P), coefficient of alpha beta with W_O = alpha W_O* and W_K2 = beta W_K2*: a closed "
          "form for every entry, with both backgrounds. In every row P_t, 2 <= t <= T-1, the strictly largest entry is P_{t-1}, except for "
          "background avoid at N = 2, where rows tie with or lose to P_t. Isolated actual steps give the same matrix times the product of the two "
          "memory signals before it, per eta1^2 eta2, so where step 2 fails they fail too. Behind all blocks (full) the terms in eta1 and eta1^2 come "
          "first, the value path, with closed forms: eta1 has no preference among s = 2..t in the rows t <= T-1, eta1^2 only damps what has been "
          "read more; and at eta1^2 eta2 row 2 prefers P_2 to P_1 at every size tried (N <= 5, T <= 6). At full softmax, (24,6), alpha = beta "
          "= 1 or eta1 = eta2 = T, every row is proved to recall or not as leading order says: all for ideal and isolated, not all for full. "
          "Row T is a boundary row and not part of the statement.",
          {"minimal task, labels uniform", "ideal model, kappa = 1", "W_K1 = 0 before the step", "N, T <= 40 for the regions of failure"},
          "Theorem 3 of the paper, third step, this project's formalization; docs/theory.md, section 5",
          closed_forms("T3.step3"),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
