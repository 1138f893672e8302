// T3.step1: the first population step of W_O from zero, entry by entry, as rationals.
#include <algorithm>

#include "numerics/ideal_population.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/figure_series.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/step1.hpp"

namespace popgrad {
namespace {

// (block, is the token of the coordinate the output itself?, 1-based position or 0) -> -dL/dW_O.
using Prediction = std::function<Rational(Block block, bool same_token, int position)>;

// Closed forms are evaluated once a block, not once an entry.
Prediction predict(const MinimalTask& task) {
  const auto value = [&task](const Formula& formula, int first) {
    return task.query == Query::last ? formula.evaluate_exact({{"N", task.N}, {"T", task.T}})
                                     : step1_any(formula, task.T, {{"N", task.N}}, first);
  };
  const Rational ue_diag = value(step1_ue_diag(), 4), ue_off = value(step1_ue_off(), 4);
  const Rational ur_diag = value(step1_ur_diag(), 4), ur_off = value(step1_ur_off(), 4);
  const Rational position = value(step1_position(), 4);
  return [=](Block block, bool same_token, int) {
    if (block == Block::E) return same_token ? ue_diag : ue_off;
    if (block == Block::R) return same_token ? ur_diag : ur_off;
    return position;
  };
}

IdealMaps<Rational> measure(const MinimalTask& task) {
  return population_descent(task, IdealMaps<Rational>(task.N, task.T), {true, false, false});
}

std::vector<Entry> entries(const IdealMaps<Rational>& measured, const Prediction& predicted) {
  std::vector<Entry> list;
  for (int k = 0; k < measured.at.N; ++k)
    for (const Block block : all_blocks)
      for (int i = 0; i < measured.at.count(block); ++i) {
        const int column = measured.at.at(block, i);
        list.push_back(exact_entry("(U" + std::to_string(k + 1) + "," + coordinate_name(measured.at, column) + ")",
                                   predicted(block, is_token(block) && i == k, is_token(block) ? 0 : i + 1), measured.u(k, column),
                                   is_token(block)));
      }
  return list;
}

// A label law that is not uniform, on purpose: weights 1, 2, .., N.
MinimalTask weighted(MinimalTask task) {
  for (int k = 1; k <= task.N; ++k) task.output_weights.push_back(k);
  return task;
}

Series memory_matrix(const IdealMaps<Rational>& measured) {
  Series series{"step1_memory", {"output k", "column", "value"}, {}};  // indices from 0
  for (int k = 0; k < measured.at.N; ++k)
    for (int c = 0; c < measured.at.size(); ++c)
      series.rows.push_back({static_cast<double>(k), static_cast<double>(c), to_double(measured.u(k, c))});
  return series;
}

Row uniform_labels(const MinimalTask& task, bool with_figure) {
  if (const auto row = too_many_sequences("T3.step1", "", task, rational_limit)) return *row;
  const IdealMaps<Rational> measured = measure(task);
  const Prediction right = predict(task);
  const auto with = [&measured](const Prediction& wrong) { return [&measured, wrong] { return entries(measured, wrong); }; };
  MinimalTask longer = task;
  ++longer.T;
  // h_T, or a false statement of it, averaged over the lengths with the weights 1/T' that it has in (U,R).
  const auto mean = [&](const std::function<Rational(int)>& value) {
    Rational sum = 0;
    for (int length = task.shortest(); length <= task.T; ++length) sum += value(length) / length;
    return sum;
  };
  const auto h = [](HarmonicEnd end) {
    return [end](int length) { return step1_h(end).evaluate_exact({{"T", length}}); };
  };
  const Rational h_T = mean(h(HarmonicEnd::right)), further = mean(h(HarmonicEnd::one_more)) / h_T;
  const Rational shifted = mean([](int length) { return Rational(Rational(length) / (length - 1) + Rational(1) / length); }) / h_T;
  const Prediction right_longer = predict(longer);
  const std::vector<Control> controls = {
      {"sign", "the gradient instead of the descent direction",
       with([&](Block b, bool same, int t) { return Rational(-right(b, same, t)); })},
      {"factor 1.1", "every coefficient ten per cent too large",
       with([&](Block b, bool same, int t) { return Rational(right(b, same, t) * 11 / 10); })},
      {"-1/N dropped", "the off-diagonal coefficients taken as zero",
       with([&](Block b, bool same, int t) { return same ? right(b, same, t) : Rational(0); })},
      {"h_T = 1", "the R block equal to the E block",
       with([&](Block b, bool same, int t) { return right(b == Block::R ? Block::E : b, same, t); })},
      {"position shifted", "the R block with the output read at tau: E F_tau = T/(T-1) + 1/T for h_T", with([&](Block b, bool same, int t) {
         return b == Block::R ? Rational(right(b, same, t) * shifted) : right(b, same, t);
       }), named_with({",R"})},
      {"H(T) for H(T-1)", "h_T with its harmonic number one term further", with([&](Block b, bool same, int t) {
         return b == Block::R ? Rational(right(b, same, t) * further) : right(b, same, t);
       }), named_with({",R"})},
      {"R block dropped", "(U,R) taken as zero",
       with([&](Block b, bool same, int t) { return b == Block::R ? Rational(0) : right(b, same, t); }), named_with({",R"})},
      {"T + 1", "the closed form of the next length",
       with([&](Block b, bool same, int t) { return right_longer(b, same, t); })},
      {"labels not uniform", "the hypothesis: P(o = k) proportional to k",
       [&] { return entries(measure(weighted(task)), right); }}};
  const std::vector<Entry> list = entries(measured, right);
  Row row = judge("T3.step1", "", task.describe(), Grade::exact, list, default_effect(list), controls);
  if (with_figure) row.series.push_back(memory_matrix(measured));
  return row;
}

// With labels p no block is symmetric, and the position blocks are not zero: (U,P)[k,t] = (p_k - 1/N)/T.
Row weighted_labels(const MinimalTask& uniform) {
  const MinimalTask task = weighted(uniform);
  if (const auto row = too_many_sequences("T3.step1", "weighted labels", task, rational_limit)) return *row;
  const IdealMaps<Rational> measured = measure(task);
  const Rational total = Rational(task.N * (task.N + 1) / 2);
  // Entry (k, i) of a block, k and i from 1, with p_k moved by `shift`.
  using PlacePrediction = std::function<Rational(int k, Block block, int i)>;
  const auto formula = [&](int k, Block block, int i, const Rational& shift) {
    const Bindings at = {{"N", task.N},           {"T", task.T}, {"p_k", Rational(k) / total + shift}, {"p_j", Rational(i) / total},
                         {"delta_kj", k == i ? 1 : 0}, {"s", i}};
    switch (block) {
      case Block::E: return step1_ue_labels().evaluate_exact(at);
      case Block::R: return step1_ur_labels().evaluate_exact(at);
      case Block::P: return step1_up_labels().evaluate_exact(at);
      case Block::S: return step1_us_labels().evaluate_exact(at);
    }
    return Rational(0);
  };
  const PlacePrediction right = [&](int k, Block block, int i) { return formula(k, block, i, Rational(0)); };
  const auto place_entries = [](const IdealMaps<Rational>& from, const PlacePrediction& predicted) {
    std::vector<Entry> list;
    for (int k = 1; k <= from.at.N; ++k)
      for (const Block block : all_blocks)
        for (int i = 1; i <= from.at.count(block); ++i) {
          const Rational value = predicted(k, block, i);
          list.push_back(exact_entry("(U" + std::to_string(k) + "," + name(block) + std::to_string(i) + ")", value,
                                     from.u(k - 1, from.at.at(block, i - 1)), !value.is_zero()));
        }
    return list;
  };
  const auto with = [&](const PlacePrediction& wrong) { return [&, wrong] { return place_entries(measured, wrong); }; };
  const std::vector<Control> controls = {
      {"positions zero", "what holds for uniform labels",
       with([&](int k, Block b, int i) { return is_token(b) ? right(k, b, i) : Rational(0); })},
      {"sign", "the gradient instead of the descent direction", with([&](int k, Block b, int i) { return Rational(-right(k, b, i)); })},
      {"1/N dropped", "p_k instead of p_k - 1/N in the position blocks",
       with([&](int k, Block b, int i) { return is_token(b) ? right(k, b, i) : formula(k, b, i, Rational(1) / task.N); })},
      {"positions shifted", "the coefficient of the position before",
       with([&](int k, Block b, int i) { return is_token(b) ? right(k, b, i) : right(k, b, std::max(1, i - 1)); })},
      {"labels swapped", "p_k and p_j exchanged in the token blocks",
       with([&](int k, Block b, int i) { return is_token(b) ? right(i, b, k) : right(k, b, i); })},
      {"labels uniform", "the hypothesis that labels are weighted", [&] { return place_entries(measure(uniform), right); }}};
  const std::vector<Entry> list = place_entries(measured, right);
  return judge("T3.step1", "weighted labels", task.describe(), Grade::exact, list, default_effect(list), controls);
}

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  const auto add = [&](const MinimalTask& task, bool with_figure) {
    task.validate();
    context.progress(task.describe());
    rows.push_back(timed([&] { return uniform_labels(task, with_figure); }));
    if (carries_picture(context, task)) rows.back().series.push_back(gradient_picture(task, 1));
  };
  const auto pairs = sizes(context, {{3, 5}, {4, 6}, {5, 6}});
  for (const auto& [N, T] : pairs)
    for (const Background background : backgrounds(context)) {
      // One heat map is enough: the largest size, with the last background.
      const bool with_figure = N == pairs.back().first && T == pairs.back().second && background == backgrounds(context).back();
      add({N, T, background, context.query.value_or(Query::last), {}}, with_figure);
    }
  const auto [N, T] = sizes(context, {{4, 6}}).front();
  for (const Background background : backgrounds(context)) {
    if (!context.query) add({N, T, background, Query::any, {}}, false);
    if (context.query == Query::any) {
      rows.push_back(not_applicable("T3.step1", "weighted labels", MinimalTask{N, T, background, Query::any, {}}.describe(),
                                    "query = last (the closed forms with weighted labels are for one length)"));
      continue;
    }
    rows.push_back(timed([&, N = N, T = T] { return weighted_labels({N, T, background, Query::last, {}}); }));
  }
  return rows;
}

}  // namespace

Claim claim_t3_step1() {
  return {"T3.step1",
          "The first population step of W_O from zero is, for both backgrounds, -dL/dW_O: (U,E) = (1/(NT))(delta - 1/N), (U,R) = "
          "(h_T/(NT))(delta - 1/N) with h_T = (T - H(T-1) - 2/T)/(T-2), (U,P) = (U,S) = 0. With labels that are not uniform the position "
          "blocks are not zero: (U,P)[k,t] = (p_k - 1/N)/T. With query = any, lengths T' = 4..T, every block is the mean over T' of that of "
          "length T'. The step starts at zero, where every softmax is uniform: its full order is its leading order, and no hand-off or "
          "choice of blocks comes before it.",
          {"minimal task, labels uniform (weighted in the rows that say so)", "ideal model, kappa = 1",
           "W_O = W_K1 = W_K2 = 0 before the step"},
          "Theorem 3 of the paper, first step, this project's formalization; docs/theory.md, section 5",
          closed_forms("T3.step1"),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
