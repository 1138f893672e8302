// T3.step2: the first step of W_K2, its memory block (E,R), to leading order in W_O; and where it does not form the memory.
#include <algorithm>
#include <string>

#include "numerics/moment_terms.hpp"
#include "numerics/stage_terms.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/failure_region.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {
namespace {

struct HandedOn {
  const char* name;
  Handoff handoff;
  Blocks blocks;
};
constexpr HandedOn ways[] = {{"ideal", Handoff::ideal, Blocks::isolated},
                             {"isolated", Handoff::actual, Blocks::isolated},
                             {"full", Handoff::actual, Blocks::full}};

using Diagonal = std::function<Rational(const HandedOn&)>;

Row memory(const MinimalTask& task) {
  const auto terms_of = [](const MinimalTask& at, const HandedOn& way) {
    return stage_terms(at, way.handoff, way.blocks, 2).front().descent.k2(Block::E, Block::R);
  };
  std::vector<Rational> diag, off;
  for (const HandedOn& way : ways) {
    const auto block = terms_of(task, way);
    diag.push_back(block.diag);
    off.push_back(block.off);
  }
  const auto against = [&](const Diagonal& predicted) {
    std::vector<Entry> list;
    for (std::size_t i = 0; i < diag.size(); ++i) {
      const Rational right = predicted(ways[i]);
      list.push_back(exact_entry(std::string(ways[i].name) + " (E,R) diag", right, diag[i], true));
      list.push_back(exact_entry(std::string(ways[i].name) + " (E,R) off", Rational(-right / (task.N - 1)), off[i]));
    }
    return list;
  };
  const auto at = [](MinimalTask changed) {
    return [changed](const HandedOn& way) { return step2_diag_exact(changed, way.handoff, way.blocks); };
  };
  MinimalTask longer = task, other = task;
  ++longer.T;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  const Diagonal right = at(task);
  const std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction", [&] { return against([&](const HandedOn& w) { return Rational(-right(w)); }); }},
      {"factor 1.1", "ten per cent too large", [&] { return against([&](const HandedOn& w) { return Rational(right(w) * 11 / 10); }); }},
      {"hand-off swapped", "isolated for full and full for isolated, alone different",
       [&] { return against([&](const HandedOn& w) {
           return step2_diag_exact(task, w.handoff, w.blocks == Blocks::full || w.handoff == Handoff::ideal ? Blocks::isolated : Blocks::full);
         }); }},
      {"other background", "avoid for any, or any for avoid", [&] { return against(at(other)); }},
      {"T + 1", "the closed form of the next length", [&] { return against(at(longer)); }},
      {"T N for (T N)^2", "the size of the first step left out", [&] { return against([&](const HandedOn& w) {
           return Rational(w.handoff == Handoff::ideal ? right(w) : right(w) * task.N * task.T);
         }); }}};
  const std::vector<Entry> list = against(right);
  return judge("T3.step2", "", task.describe(), Grade::exact, list, default_effect(list), controls);
}

// Where diag <= 0, by the engine that knows no closed form, against the statement of step2_fails.
Row region(Background background, const HandedOn& way, int largest_N, int largest_T) {
  const Region measured = [&](int N, int T) {
    const auto terms = moment_terms({N, T, background, Query::last, {}}, way.handoff, way.blocks, 2);
    return terms.front().descent.k2(Block::E, Block::R).diag <= 0;
  };
  const Region stated = [&](int N, int T) { return step2_fails(N, T, background, way.handoff, way.blocks); };
  const Background other = background == Background::any ? Background::avoid : Background::any;
  return judge_region("T3.step2", std::string("fails, ") + way.name, background, largest_N, largest_T, measured, stated,
                      {{"nowhere", "the step forms the memory at every size", [](int, int) { return false; }},
                       {"one T further", "the region shifted by one position", [&](int N, int T) { return stated(N, std::max(4, T - 1)); }},
                       {"other background", "the region of the other background",
                        [&](int N, int T) { return step2_fails(N, T, other, way.handoff, way.blocks); }},
                       {"one N less", "the region without the largest vocabulary of the grid",
                        [&](int N, int T) { return N < largest_N && stated(N, T); }}});
}

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
        rows.push_back(refused ? *refused : timed([&] { return memory(task); }));
      }
    }
  if (context.N || context.T || context.query == Query::any) return rows;
  for (const Background background : backgrounds(context))
    for (const HandedOn& way : ways) {
      context.progress("region of failure");
      rows.push_back(timed([&] { return region(background, way, 12, 8); }));
    }
  return rows;
}

}  // namespace

Claim claim_t3_step2() {
  return {"T3.step2",
          "The first population step of W_K2 from zero, to leading order in W_O: its block (E,R) is diag I + off (J - I) with off = -diag/(N-1), "
          "and diag has closed forms in N, T and harmonic numbers for an ideal hand-off (per alpha), the actual step with (U,E) alone and "
          "with all blocks (per eta1), for both backgrounds. The sign is not automatic: diag <= 0, so that the memory does not form, exactly at "
          "any: T = 4, T = 5 up to N = 5 (full: 11), T = 6, 7 at N = 2; avoid: T = 4 (full: from N = 3 on).",
          {"minimal task, labels uniform", "ideal model, kappa = 1", "W_K1 = W_K2 = 0 before the step",
           "query = last for the region of failure"},
          "Theorem 3 of the paper, second step, this project's formalization; docs/theory.md, section 5",
          closed_forms("T3.step2"),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
