// T3.step3 with the actual full hand-off: the monomials eta1, eta1^2 and eta1^2 eta2 of (P,P), each apart.
#include <string>

#include "numerics/leading_pass.hpp"
#include "numerics/stage_terms.hpp"
#include "theory/claims/failure_region.hpp"
#include "theory/claims/recalled_row.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step3_parts.hpp"
#include "theory/formulas/step3.hpp"
#include "theory/formulas/value_path.hpp"

namespace popgrad {
namespace {

MinimalTask with_other_background(MinimalTask task) {
  task.background = task.background == Background::any ? Background::avoid : Background::any;
  return task;
}

// "(P3,P2)", row 3 alone.
std::function<bool(const std::string&)> in_row(int t) { return named_with({"(P" + std::to_string(t) + ","}); }

// Full: every order of W_O and W_K2 as they are handed on; isolated: the memories of the two steps alone.
struct Handed {
  InvariantMaps<Rational> first, second;
};

Handed hand_on(const MinimalTask& task) {
  InvariantMaps<Rational> first = leading_descent(task, InvariantMaps<Rational>(task.N, task.T), 1);
  InvariantMaps<Rational> second = leading_descent(task, first, 2);
  return {std::move(first), std::move(second)};
}

// What depends on W_K2: by the leading order written out, which knows no softmax.
InvariantMaps<Rational> mixed_term(const MinimalTask& task, const Handed& handed) {
  InvariantMaps<Rational> both = handed.first;
  both.wk2 = handed.second.wk2;
  InvariantMaps<Rational> term = leading_descent(task, both, 3);
  return term.add(Rational(-1), leading_descent(task, handed.first, 3));
}

PositionPairs pairs_of(const InvariantMaps<Rational>& maps) {
  return [maps](int t, int s) { return maps.k1(Block::P, Block::P).entries[static_cast<std::size_t>(t * maps.T + s)]; };
}

using ValuePath = Rational (*)(const MinimalTask&, int, int, HarmonicEnd);

Row value_path(const MinimalTask& task, const StageTerm& term, ValuePath form, const InvariantMaps<Rational>& isolated) {
  const InvariantMaps<Rational>& measured = term.descent;
  std::vector<Rational> table;  // an entry of eta1^2 is a sum over the sequence: each is asked for often
  for (int t = 0; t < task.T; ++t)
    for (int s = 0; s < task.T; ++s) table.push_back(form(task, t, s, HarmonicEnd::right));
  const PositionPairs right = [&](int t, int s) { return table[static_cast<std::size_t>(t * task.T + s)]; };
  const auto with = [&](const PositionPairs& wrong) { return [&measured, wrong] { return position_entries(measured, wrong); }; };
  MinimalTask longer = task;
  ++longer.T;
  std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction", with([&](int t, int s) { return Rational(-right(t, s)); })},
      {"factor 1.1", "ten per cent too large", with([&](int t, int s) { return Rational(right(t, s) * 11 / 10); })},
      {"position shifted", "every entry one key to the right", with([&](int t, int s) { return s > 0 ? right(t, s - 1) : right(t, t); })},
      {"H(T) for H(T-1)", "h_T with its harmonic number one term further",
       with([&](int t, int s) { return form(task, t, s, HarmonicEnd::one_more); })},
      {"T + 1", "the closed form of the next length", with([&](int t, int s) { return form(longer, t, s, HarmonicEnd::right); })},
      {"R block dropped", "the hypothesis: W_O without what it reads of remapped tokens, where there is no value path",
       [&] { return position_entries(isolated, right); }},
      {"hand-off swapped", "the ideal hand-off: this coefficient is zero", with([](int, int) { return Rational(0); })},
      {"prefers t-1", "row 3 with its largest entry at P_2, that of the later keys moved there", with([&](int t, int s) {
         return t != 2 || s == 0 ? right(t, s) : Rational(s == 1 ? right(2, 1) + right(2, 2) : Rational(0));
       }), in_row(3)}};
  // The first order does not know the background.
  if (form == &value_path_second)
    controls.push_back({"other background", "avoid for any, or any for avoid", with([&](int t, int s) {
                          return form(with_other_background(task), t, s, HarmonicEnd::right);
                        })});
  const std::vector<Entry> list = position_entries(measured, right);
  return judge("T3.step3", "full, " + term.monomial, task.describe(), Grade::exact, list, default_effect(list), controls);
}

Row key_path(const MinimalTask& task, const StageTerm& term) {
  const Handed handed = hand_on(task);
  const InvariantMaps<Rational>& measured = term.descent;
  const PositionPairs right = pairs_of(mixed_term(task, handed));
  const auto with = [&](const PositionPairs& wrong) { return [&measured, wrong] { return position_entries(measured, wrong); }; };
  const auto handing = [&](const std::function<void(Handed&)>& change) {
    return [&, change] {
      Handed wrong = handed;
      change(wrong);
      return position_entries(measured, pairs_of(mixed_term(task, wrong)));
    };
  };
  const std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction", with([&](int t, int s) { return Rational(-right(t, s)); })},
      {"factor 1.1", "ten per cent too large", with([&](int t, int s) { return Rational(right(t, s) * 11 / 10); })},
      {"position shifted", "every entry one key to the right", with([&](int t, int s) { return s > 0 ? right(t, s - 1) : right(t, t); })},
      {"R block dropped", "W_O without what it reads of remapped tokens, in the third stage",
       handing([](Handed& h) { h.first = isolate(h.first, 1); })},
      {"hand-off swapped", "the isolated hand-off: both memories alone", handing([](Handed& h) {
         h.first = isolate(h.first, 1);
         h.second = isolate(h.second, 2);
       })},
      {"only (E,R) of W_K2", "the other fifteen blocks left behind", handing([](Handed& h) { h.second = isolate(h.second, 2); })},
      {"without (P,P) of W_K2", "the query position's own keys left behind", handing([](Handed& h) {
         for (Rational& x : h.second.k2(Block::P, Block::P).entries) x = 0;
       })},
      {"other background", "avoid for any, or any for avoid", [&] {
         const MinimalTask other = with_other_background(task);
         return position_entries(measured, pairs_of(mixed_term(other, hand_on(other))));
       }}};
  const std::vector<Entry> list = position_entries(measured, right);
  return judge("T3.step3", "full, " + term.monomial, task.describe(), Grade::exact, list, default_effect(list), controls);
}

}  // namespace

std::vector<Row> step3_monomials(const MinimalTask& task) {
  const std::vector<StageTerm> terms = stage_terms(task, Handoff::actual, Blocks::full, 3);
  // Without the R block of W_O the terms in eta1 alone are the zero of the isolated hand-off.
  const InvariantMaps<Rational> isolated = stage_terms(task, Handoff::actual, Blocks::isolated, 3).front().descent;
  return {timed([&] { return value_path(task, terms[0], &value_path_first, isolated); }),
          timed([&] { return value_path(task, terms[1], &value_path_second, isolated); }),
          timed([&] { return key_path(task, terms[2]); })};
}

Row step3_full_region(Background background, int largest_N, int largest_T) {
  const Region measured = [&](int N, int T) {
    const MinimalTask task{N, T, background, Query::last, {}};
    const InvariantMaps<Rational> term = mixed_term(task, hand_on(task));
    return !recalls(term, 1);
  };
  return judge_region("T3.step3", "fails, full, eta1^2*eta2", {largest_N, largest_T, background, Query::last}, measured,
                      [](int, int) { return true; },
                      {{"nowhere", "every row recalls at every size", [](int, int) { return false; }},
                       {"hand-off swapped", "the region of the ideal hand-off", [&](int N, int T) { return step3_fails(N, T, background); }},
                       {"N = 2", "the smallest vocabulary alone", [](int N, int) { return N == 2; }},
                       {"T = 4", "the shortest sequences alone", [](int, int T) { return T == 4; }}});
}

}  // namespace popgrad
