// T3.onset.full: with all blocks moving the (P,P) signal comes earlier, through the value path.
#include "numerics/onset.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_onset_parts.hpp"
#include "theory/formulas/value_path.hpp"
#include "theory/formulas/onset.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {
namespace {

constexpr const char* id = "T3.onset.full";

// W_O = S t with S the first step, (E,R) = (D/2) t^2 with D the actual full step 2 per unit of eta1, (P,P) = (V/2) t^2 + ... with V the value
// path of T3.gate per unit of eta1, and its memory signal onset_signal t^3. A wrong statement changes one of them.
struct Statement {
  MinimalTask task;
  Rational ue, ur, er;
  std::function<Rational(int t, int s)> pp;      // coefficient of t^2, 0-based
  std::function<Rational(int t)> signal;         // coefficient of t^signal_order, 1-based
  int signal_order = 3;

  explicit Statement(const MinimalTask& of)
      : task(of), ue(onset_ue(of)), ur(onset_ur(of)), er(step2_diag_exact(of, Handoff::actual, Blocks::full) / 2),
        pp([of](int t, int s) { return Rational(value_path_first(of, t, s) / 2); }),
        signal([of](int t) { return onset_signal(of, t); }) {}
};

using Coefficients = std::vector<InvariantMaps<Rational>>;

const InvariantBlock<Rational>& pairs(const Coefficients& c, int order) {
  return c[static_cast<std::size_t>(order)].k1(Block::P, Block::P);
}

void add(std::vector<Entry>& list, const std::string& what, int order, const Rational& predicted, const Rational& measured) {
  list.push_back(exact_entry(what + " t^" + std::to_string(order), predicted, measured, !predicted.is_zero()));
}

std::string pair_name(int t, int s) { return "(P" + std::to_string(t + 1) + ",P" + std::to_string(s + 1) + ")"; }

std::vector<Entry> entries(const Coefficients& c, const Statement& says) {
  std::vector<Entry> list;
  const int T = says.task.T, N = says.task.N;
  add(list, "(U,E) diag - off", 1, says.ue, c[1].u(Block::E).contrast());
  add(list, "(U,R) diag - off", 1, says.ur, c[1].u(Block::R).contrast());
  add(list, "(E,R) diag", 1, Rational(0), c[1].k2(Block::E, Block::R).diag);
  add(list, "(E,R) diag", 2, says.er, c[2].k2(Block::E, Block::R).diag);
  add(list, "(E,R) off", 2, Rational(-says.er / (N - 1)), c[2].k2(Block::E, Block::R).off);
  for (int t = 0; t < T; ++t)
    for (int s = 0; s <= t; ++s)
      for (int order = 1; order <= 2; ++order)
        add(list, pair_name(t, s), order, order == 2 ? says.pp(t, s) : Rational(0),
            pairs(c, order).entries[static_cast<std::size_t>(t * T + s)]);
  for (int t = 4; t < T; ++t)
    for (int order = 1; order <= 3; ++order)
      add(list, "signal of row " + std::to_string(t), order, order == says.signal_order ? says.signal(t) : Rational(0),
          position_signal(pairs(c, order), T, t));
  return list;
}

// All of W_K1 at order 3, against what is claimed of it.
std::vector<Entry> third_order(const Coefficients& c, const MinimalTask& task, const std::function<Rational(int t, int s)>& predicted) {
  std::vector<Entry> list;
  for (int t = 0; t < task.T; ++t)
    for (int s = 0; s <= t; ++s)
      add(list, pair_name(t, s), 3, predicted(t, s), pairs(c, 3).entries[static_cast<std::size_t>(t * task.T + s)]);
  for (int t = 4; t < task.T; ++t) {
    Rational others(0);
    for (int j = 2; j <= t - 2; ++j) others += predicted(t - 1, j - 1);
    add(list, "signal of row " + std::to_string(t), 3, Rational(predicted(t - 1, t - 2) - others / (t - 3)),
        position_signal(pairs(c, 3), task.T, t));
  }
  return list;
}

Coefficients flow_of(const MinimalTask& task, const std::string& without) {
  return onset_coefficients(task, flow_without(without, Blocks::full), 3);
}

Rational nothing(int, int) { return Rational(0); }

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  const auto add_row = [&](const std::string& part, const MinimalTask& task, const std::function<Row()>& make) {
    task.validate();
    context.progress(task.describe() + " " + part);
    if (task.T < 5) {
      rows.push_back(not_applicable(id, part, task.describe(), "T >= 5 (the signal of (P,P) needs a row t with 4 <= t <= T-1)"));
      return;
    }
    const auto refused = onset_too_long(id, part, task);
    rows.push_back(refused ? *refused : timed(make));
  };
  for (const MinimalTask& task : onset_tasks(context)) add_row("", task, [&] { return onset_full_exact(task); });
  const auto [N, T] = sizes(context, {{3, 5}}).front();
  const Background background = context.background.value_or(Background::avoid);
  if (!context.query) {
    const MinimalTask any{N, T, background, Query::any, {}};
    add_row("", any, [&] { return onset_full_exact(any); });
  }
  const MinimalTask task{N, T, background, context.query.value_or(Query::last), {}};
  for (const auto& [without, part] : {std::pair{"value_block", "without (U,R)"}, {"value", "without value path"}, {"guess", "p_hat = 1/N"}})
    add_row(part, task, [&, word = std::string(without), name = std::string(part)] { return onset_signal_gone(task, word, name); });
  add_row("without key path", task, [&] { return onset_signal_stays(task); });
  add_row("flow", task, [&] { return onset_flow(id, task, Blocks::full); });
  return rows;
}

}  // namespace

Row onset_full_exact(const MinimalTask& task) {
  const Statement right(task);
  const Coefficients measured = flow_of(task, "nothing");
  const auto with = [&](const std::function<void(Statement&)>& change) {
    Statement wrong = right;
    change(wrong);
    return [&measured, wrong] { return entries(measured, wrong); };
  };
  const auto without = [&](const std::string& word) { return [&, word] { return entries(flow_of(task, word), right); }; };
  MinimalTask other = task;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  const std::vector<Control> controls = {
      {"signal at t^2", "the memory signal one order earlier", with([](Statement& s) { s.signal_order = 2; })},
      {"not integrated", "V instead of V/2 in (P,P)",
       with([&](Statement& s) { s.pp = [&](int t, int k) { return Rational(2 * right.pp(t, k)); }; })},
      {"swapped hand-off", "(E,R) from the ideal W_O, a1 per unit of time",
       with([](Statement& s) { s.er = s.ue * step2_diag_exact(s.task, Handoff::ideal, Blocks::isolated) / 2; })},
      {"H(T) for H(T-1)", "the harmonic numbers of step 2 one term further", with([](Statement& s) {
         s.er = step2_diag_exact(s.task, Handoff::actual, Blocks::full, HarmonicEnd::one_more) / 2;
       }), named_with({"(E,R)"})},
      {"R block dropped", "(E,R) from the isolated step of W_O",
       with([](Statement& s) { s.er = step2_diag_exact(s.task, Handoff::actual, Blocks::isolated) / 2; }), named_with({"(E,R)"})},
      {"h_T = 1", "the R block of W_O equal to the E block", with([](Statement& s) { s.ur = s.ue; })},
      {"shifted position", "(P,P) moved by one key",
       with([&](Statement& s) { s.pp = [&](int t, int k) { return k == 0 ? Rational(0) : right.pp(t, k - 1); }; })},
      {"signal factor 1.1", "the memory signal ten per cent too large",
       with([&](Statement& s) { s.signal = [&](int t) { return Rational(right.signal(t) * 11 / 10); }; })},
      {"other background", "avoid for any, or any for avoid", with([&](Statement& s) { s = Statement(other); })},
      {"without (U,R)", "the value block left out of the flow", without("value_block")},
      {"p_hat = 1/N", "the guess frozen in the flow", without("guess")}};
  const std::vector<Entry> list = entries(measured, right);
  return judge(id, "", task.describe(), Grade::exact, list, default_effect(list), controls);
}

Row onset_signal_gone(const MinimalTask& task, const std::string& without, const std::string& part) {
  const auto flow = [&](const std::string& word) { return [&, word] { return third_order(flow_of(task, word), task, nothing); }; };
  const Coefficients all = flow_of(task, "nothing");
  const Coefficients measured = flow_of(task, without);
  const std::vector<Control> controls = {
      {"all paths", "nothing left out of the flow", [&] { return third_order(all, task, nothing); }},
      {"key path instead", "the key path left out", flow("key")},
      {"query path instead", "the query path left out", flow("query")},
      {"unchanged", "the t^3 matrix of the full flow", [&] {
         return third_order(measured, task, [&](int t, int s) { return pairs(all, 3).entries[static_cast<std::size_t>(t * task.T + s)]; });
       }}};
  return judge(id, part, task.describe(), Grade::exact, third_order(measured, task, nothing), 0, controls);
}

Row onset_signal_stays(const MinimalTask& task) {
  const Coefficients all = flow_of(task, "nothing");
  const auto scaled = [&](const Rational& factor, int shift) {
    return [&, factor, shift](int t, int s) {
      return s < shift ? Rational(0) : Rational(factor * pairs(all, 3).entries[static_cast<std::size_t>(t * task.T + s - shift)]);
    };
  };
  const Coefficients measured = flow_of(task, "key");
  const auto flow = [&](const std::string& word) { return [&, word] { return third_order(flow_of(task, word), task, scaled(1, 0)); }; };
  const std::vector<Control> controls = {
      {"value path instead", "the value path left out", flow("value")},
      {"(U,R) instead", "the R block of W_O left out", flow("value_block")},
      {"p_hat = 1/N instead", "the guess frozen", flow("guess")},
      {"zero", "no t^3 matrix", [&] { return third_order(measured, task, nothing); }},
      {"factor 1.1", "ten per cent more", [&] { return third_order(measured, task, scaled(Rational(11) / 10, 0)); }},
      {"shifted position", "the matrix moved by one key", [&] { return third_order(measured, task, scaled(1, 1)); }}};
  const std::vector<Entry> list = third_order(measured, task, scaled(1, 0));
  return judge(id, "without key path", task.describe(), Grade::exact, list, default_effect(list), controls);
}

Claim claim_t3_onset_full() {
  return {id,
          "Population gradient flow from zero, all maps and blocks at the same rate: W_O is the first step times t, (E,R) half of the actual "
          "full step 2 times t^2, (P,P) half of the value path of T3.gate times t^2, which has no preference for t-1. Its memory signal in the "
          "rows 4..T-1 starts at t^3 with a closed form. That signal is not the induction mechanism: it is zero at t^3 without the R block of "
          "W_O, without the value path and with p_hat frozen at 1/N, and the same without the key path. Gradient descent in small steps has "
          "these exponents and constants.",
          {"minimal task, labels uniform", "ideal model, kappa = 1", "all maps zero at t = 0, one rate", "T >= 5"},
          "Theorem 3 of the paper as a flow, this project's formalization; docs/theory.md, section 5, T3.onset",
          closed_forms(id),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
