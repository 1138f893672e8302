// T3.step2: the first step of W_K2, its memory block (E,R), to leading order in W_O; and where it does not form the memory.
#include <algorithm>
#include <string>

#include "numerics/stage_terms.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/figure_series.hpp"
#include "theory/claims/step2_by_places.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step2_parts.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {

Row step2_memory(const MinimalTask& task) {
  using Diagonal = std::function<Rational(const HandedOn&)>;
  const auto terms_of = [](const MinimalTask& at, const HandedOn& way) {
    return stage_terms(at, way.handoff, way.blocks, 2).front().descent.k2(Block::E, Block::R);
  };
  std::vector<Rational> diag, off;
  for (const HandedOn& way : handed_on_ways) {
    const auto block = terms_of(task, way);
    diag.push_back(block.diag);
    off.push_back(block.off);
  }
  const auto against = [&](const Diagonal& predicted) {
    std::vector<Entry> list;
    for (std::size_t i = 0; i < diag.size(); ++i) {
      const Rational right = predicted(handed_on_ways[i]);
      list.push_back(exact_entry(std::string(handed_on_ways[i].name) + " (E,R) diag", right, diag[i], true));
      list.push_back(exact_entry(std::string(handed_on_ways[i].name) + " (E,R) off", Rational(-right / (task.N - 1)), off[i]));
    }
    return list;
  };
  const Diagonal right = [&](const HandedOn& way) { return step2_diag_exact(task, way.handoff, way.blocks); };
  const auto at = [](MinimalTask changed) {
    return [changed](const HandedOn& way) { return step2_diag_exact(changed, way.handoff, way.blocks); };
  };
  const auto with = [&](const Diagonal& wrong) { return [&, wrong] { return against(wrong); }; };
  MinimalTask longer = task, other = task;
  ++longer.T;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  const auto actual = named_with({"isolated", "full"}), full = named_with({"full"});
  const std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction", with([&](const HandedOn& w) { return Rational(-right(w)); })},
      {"factor 1.1", "ten per cent too large", with([&](const HandedOn& w) { return Rational(right(w) * 11 / 10); })},
      {"hand-off swapped", "isolated for full and full for isolated, alone different", with([&](const HandedOn& w) {
         return w.handoff == Handoff::ideal
                    ? right(w)
                    : step2_diag_exact(task, w.handoff, w.blocks == Blocks::full ? Blocks::isolated : Blocks::full);
       }), actual},
      {"R block dropped", "the full first step without what it reads of remapped tokens",
       with([&](const HandedOn& w) { return step2_diag_exact(task, w.handoff, Blocks::isolated); }), full},
      {"position shifted", "the output read one position earlier, where the trigger stands",
       with([&](const HandedOn& w) { return step2_diag_by_places(task, w.handoff, w.blocks, 0); })},
      {"H(T) for H(T-1)", "the harmonic numbers one term further",
       with([&](const HandedOn& w) { return step2_diag_exact(task, w.handoff, w.blocks, HarmonicEnd::one_more); })},
      {"other background", "avoid for any, or any for avoid", with(at(other))},
      {"off = 0", "rows that do not add up to zero", [&] {
         std::vector<Entry> list = against(right);
         for (std::size_t i = 0; i < off.size(); ++i)
           list[2 * i + 1] = exact_entry(list[2 * i + 1].name, Rational(0), off[i]);
         return list;
       }, named_with({"off"})},
      {"T + 1", "the closed form of the next length", with(at(longer))},
      {"T N for (T N)^2", "the size of the first step left out",
       with([&](const HandedOn& w) { return Rational(w.handoff == Handoff::ideal ? right(w) : right(w) * task.N * task.T); }), actual}};
  const std::vector<Entry> list = against(right);
  return judge("T3.step2", "", task.describe(), Grade::exact, list, default_effect(list), controls);
}

namespace {

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  for (const auto& [N, T] : sizes(context, {{4, 6}, {7, 7}}))
    for (const Background background : backgrounds(context)) {
      for (const Query query : {Query::last, Query::any}) {
        if (context.query ? query != *context.query : (query == Query::any && T != 6)) continue;
        const MinimalTask task{N, T, background, query, {}};
        task.validate();
        context.progress(task.describe());
        const auto refused = too_many_orbits("T3.step2", "", task);
        rows.push_back(refused ? *refused : timed([&] { return step2_memory(task); }));
        if (!refused && carries_picture(context, task)) rows.back().series.push_back(gradient_picture(task, 2));
      }
    }
  const auto [N, T] = sizes(context, {{3, 4}}).front();
  for (const Background background : backgrounds(context)) {
    const MinimalTask task{N, T, background, context.query.value_or(Query::last), {}};
    const auto add = [&](const char* part, Row (*make)(const MinimalTask&)) {
      const auto refused = too_many_sequences("T3.step2", part, task, rational_limit / 40);
      rows.push_back(refused ? *refused : timed([&] { return make(task); }));
    };
    add("off, orders 1..3", step2_rows_exact);
    add("off, order=full", step2_rows_enumerated);
  }
  if (context.N || context.T) return rows;
  for (const Background background : backgrounds(context))
    for (const Query query : {Query::last, Query::any})
      if (query == context.query.value_or(query)) rows.push_back(timed([&] { return step2_certified({24, 6, background, query, {}}); }));
  for (const Query query : {Query::last, Query::any})
    if (query == context.query.value_or(query))
      for (Row& row : step2_regions(context, query, 40)) rows.push_back(std::move(row));
  rows.back().series.push_back(step2_margin_map(backgrounds(context), 40));
  return rows;
}

}  // namespace

Claim claim_t3_step2() {
  return {"T3.step2",
          "The first population step of W_K2 from zero, to leading order in W_O: its block (E,R) is diag I + off (J - I) with off = -diag/(N-1), "
          "and diag has closed forms in N, T and harmonic numbers for an ideal hand-off (per alpha), the actual step with (U,E) alone and "
          "with all blocks (per eta1), for both backgrounds. The sign is not automatic: diag <= 0, so that the memory does not form, exactly at "
          "any: T = 4, T = 5 up to N = 5 (full: 11), T = 6, 7 at N = 2; avoid: T = 4 (full: from N = 3 on). With query = any, N, T <= 40, it is so "
          "at more sizes, for any up to T = 40 at N = 2 (full: 30), for avoid up to T = 5 (full: 6). off = -diag/(N-1) holds at every order in "
          "eta1. At full softmax, (24,6), alpha = beta = 1 or eta1 = eta2 = T, the sign is proved and that of leading order.",
          {"minimal task, labels uniform", "ideal model, kappa = 1", "W_K1 = W_K2 = 0 before the step",
           "N, T <= 40 for the regions of failure"},
          "Theorem 3 of the paper, second step, this project's formalization; docs/theory.md, section 5",
          closed_forms("T3.step2"),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
