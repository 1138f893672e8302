// T3.onset.isolated: how the three memories leave zero when nothing else moves.
#include "numerics/onset.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_onset_parts.hpp"
#include "theory/formulas/onset.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

constexpr const char* id = "T3.onset.isolated";
constexpr int highest = 4;

// (U,E) = a1 (delta - 1/N) t, (E,R) = b2 (delta - 1/N) t^2, (P,P) = g M t^4 with M the matrix of alpha beta of T3.step3; b2 =
// contrast/2 and g = a1 b2/4. A wrong statement changes one of them.
struct Statement {
  MinimalTask task;
  Rational a1, b2, integral{4};
  int pp_order = 4, shift = 0;

  explicit Statement(const MinimalTask& of) : task(of), a1(onset_ue(of)), b2(second(of, Handoff::ideal, Blocks::isolated)) {}
  // Coefficient of t^2 of the contrast of (E,R): a1 diag N/(N-1)/2 per unit of alpha, or diag N/(N-1)/2 per unit of eta1.
  static Rational second(const MinimalTask& of, Handoff handoff, Blocks blocks) {
    const Rational contrast = step2_diag_exact(of, handoff, blocks) * of.N / (of.N - 1);
    return Rational((handoff == Handoff::ideal ? onset_ue(of) : Rational(1)) * contrast / 2);
  }
  Rational token(const Rational& contrast, bool same) const {
    return Rational(contrast * (same ? Rational(task.N - 1) : Rational(-1)) / task.N);
  }
  Rational pp(int order, int t, int s) const {  // 0-based
    if (order != pp_order || s < shift) return Rational(0);
    return Rational(a1 * b2 / integral * step3_entry_exact(task, t, s - shift));
  }
};

using Coefficients = std::vector<InvariantMaps<Rational>>;

std::vector<Entry> entries(const Coefficients& c, const Statement& says) {
  std::vector<Entry> list;
  const auto add = [&](const std::string& what, int order, const Rational& predicted, const Rational& measured) {
    list.push_back(exact_entry(what + " t^" + std::to_string(order), predicted, measured, !predicted.is_zero()));
  };
  const int T = says.task.T;
  for (const bool same : {true, false}) {
    const std::string where = same ? " diag" : " off";
    const auto of = [&](const InvariantBlock<Rational>& block) { return same ? block.diag : block.off; };
    add("(U,E)" + where, 1, says.token(says.a1, same), of(c[1].u(Block::E)));
    add("(E,R)" + where, 1, Rational(0), of(c[1].k2(Block::E, Block::R)));
    add("(E,R)" + where, 2, says.token(says.b2, same), of(c[2].k2(Block::E, Block::R)));
  }
  for (int order = 1; order <= highest; ++order)
    for (int t = 0; t < T; ++t)
      for (int s = 0; s <= t; ++s)
        add("(P" + std::to_string(t + 1) + ",P" + std::to_string(s + 1) + ")", order, says.pp(order, t, s),
            c[static_cast<std::size_t>(order)].k1(Block::P, Block::P).entries[static_cast<std::size_t>(t * T + s)]);
  return list;
}

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  const auto add = [&](const std::string& part, const MinimalTask& task, const std::function<Row()>& make) {
    task.validate();
    context.progress(task.describe());
    const auto refused = onset_too_long(id, part, task);
    rows.push_back(refused ? *refused : timed(make));
  };
  for (const MinimalTask& task : onset_tasks(context)) add("", task, [&] { return onset_isolated_exact(task); });
  const auto [N, T] = sizes(context, {{3, 5}}).front();
  const Background background = context.background.value_or(Background::avoid);
  if (!context.query) {
    const MinimalTask any{N, T, background, Query::any, {}};
    add("", any, [&] { return onset_isolated_exact(any); });
  }
  const MinimalTask task{N, T, background, context.query.value_or(Query::last), {}};
  add("flow", task, [&] { return onset_flow(id, task, Blocks::isolated); });
  return rows;
}

}  // namespace

std::vector<MinimalTask> onset_tasks(const ClaimContext& context) {
  const Query query = context.query.value_or(Query::last);
  if (!context.N && !context.T && !context.background) return {{3, 5, Background::any, query, {}}, {4, 6, Background::avoid, query, {}}};
  std::vector<MinimalTask> tasks;
  for (const auto& [N, T] : sizes(context, {{4, 6}}))
    for (const Background background : backgrounds(context)) tasks.push_back({N, T, background, query, {}});
  return tasks;
}

std::optional<Row> onset_too_long(const std::string& claim, const std::string& part, const MinimalTask& task) {
  constexpr int longest = 8;  // 4140 orbits, about ten seconds a coefficient
  if (task.T <= longest) return std::nullopt;
  return undecided(claim, part, task.describe(), "series of rationals over the partitions of " + std::to_string(task.T) + " positions take too long", "use T <= " + std::to_string(longest));
}

Row onset_isolated_exact(const MinimalTask& task) {
  const Statement right(task);
  if (right.b2.is_zero())
    return not_applicable(id, "", task.describe(), "step 2 has a gradient (its diagonal is zero here, and so is the t^4 matrix)");
  FlowRule rule;
  rule.blocks = Blocks::isolated;
  const Coefficients measured = onset_coefficients(task, rule, highest);
  const auto with = [&](const std::function<void(Statement&)>& change) {
    Statement wrong = right;
    change(wrong);
    return [&measured, wrong] { return entries(measured, wrong); };
  };
  MinimalTask other = task;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  const std::vector<Control> controls = {
      {"order 3", "the (P,P) matrix one order earlier", with([](Statement& s) { s.pp_order = 3; })},
      {"not integrated", "a1 b2 instead of a1 b2/4", with([](Statement& s) { s.integral = 1; })},
      {"swapped hand-off", "(E,R) from the actual full step of W_O",
       with([](Statement& s) { s.b2 = Statement::second(s.task, Handoff::actual, Blocks::full); })},
      {"H(T) for H(T-1)", "the harmonic numbers of step 2 one term further", with([](Statement& s) {
         s.b2 = s.a1 * step2_diag_exact(s.task, Handoff::ideal, Blocks::isolated, HarmonicEnd::one_more) * s.task.N / (s.task.N - 1) / 2;
       })},
      {"diagonal for contrast", "the diagonal of (U,E) in the constant instead of diag - off",
       with([](Statement& s) { s.integral = s.integral * s.task.N / (s.task.N - 1); })},
      {"shifted position", "the matrix moved by one key", with([](Statement& s) { s.shift = 1; })},
      {"other background", "avoid for any, or any for avoid",
       with([&](Statement& s) { s = Statement(other); })},
      {"full blocks", "the hypothesis that only the three blocks move",
       [&] { return entries(onset_coefficients(task, FlowRule{}, highest), right); }}};
  const std::vector<Entry> list = entries(measured, right);
  return judge(id, "", task.describe(), Grade::exact, list, default_effect(list), controls);
}

Claim claim_t3_onset_isolated() {
  return {id,
          "Population gradient flow from zero, all three maps at the same rate, only (U,E), (E,R) and (P,P) moving: (U,E) = a1 (delta - 1/N) t "
          "+ O(t^2) with a1 = 1/(NT), (E,R) = b2 (delta - 1/N) t^2 + O(t^3) with b2 = a1 D/2, D = diag - off of T3.step2 per unit of alpha, and "
          "(P,P) = (a1 b2/4) M t^4 + O(t^5), M the matrix of alpha*beta of T3.step3. Off-diagonal parts enter through the contrasts alone. "
          "Gradient descent in small steps has these exponents and constants.",
          {"minimal task, labels uniform", "ideal model, kappa = 1", "all maps zero at t = 0, one rate", "isolated blocks",
           "D is not zero (it is for avoid at T = 4, N = 2)"},
          "Theorem 3 of the paper as a flow, this project's formalization; docs/theory.md, section 5, T3.onset",
          closed_forms(id),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
