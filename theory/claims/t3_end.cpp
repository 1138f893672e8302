// T3.end: how often the head answers right after the three steps, and how often a perfect one does.
#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_end_parts.hpp"

namespace popgrad {
namespace {

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  const auto add = [&](const auto& make) { rows.push_back(timed(make)); };
  const Query query = context.query.value_or(Query::last);
  for (const auto& [N, T] : sizes(context, {{4, 6}, {8, 7}}))
    for (const Background background : backgrounds(context)) {
      const MinimalTask task{N, T, background, query, {}};
      task.validate();
      context.progress("perfect head, " + task.describe());
      if (background == Background::avoid) add([&] { return end_perfect_head(task, SharperLayer::first_layer, context); });
      add([&] { return end_perfect_head(task, SharperLayer::second_layer, context); });
      if (background == Background::any) add([&] { return end_best_possible(task, context); });
    }
  for (const auto& [N, T] : sizes(context, {{16, 7}}))
    for (const Background background : backgrounds(context)) {
      const MinimalTask task{N, T, background, query, {}};
      if (T < 7 || N < 6 || query != Query::last) {
        for (const char* part : {"isolated, three steps", "full blocks fall short"})
          rows.push_back(not_applicable("T3.end", part, task.describe(), "N >= 6, T >= 7, query = last: what three steps reach is stated for these"));
        continue;
      }
      context.progress("three steps, " + task.describe());
      add([&] { return end_isolated(task, context); });
      add([&] { return end_full(task, context); });
    }
  return rows;
}

}  // namespace

Claim claim_t3_end() {
  return {"T3.end",
          "After three population steps with isolated blocks (of 1, 3 and 10 units; a unit makes a step of order one) the head answers right more "
          "often than halfway between chance and what can be reached, and after one or two of them less often; shown at the sizes of the rows. With all "
          "blocks the accuracy stays below three quarters of the best that isolated blocks reach on the same grid of step sizes, and it does not when "
          "only (E,R) of the second step is kept. A head of the memories themselves, a W_O*, b W_K2*, c W_K1*, does not reach 1, by a closed form: with "
          "background avoid because the first trigger at position 1 is its own predecessor, which costs (1 - 1/N)/(T-2) where b >> e^c, and less "
          "where c >> b because ties with the output are then decided by counts; with background any because earlier triggers have other "
          "successors, which no predictor can tell apart: the best possible accuracy is a sum over votes.",
          {"minimal task, labels uniform", "ideal model, kappa = 1", "full softmax, gradients of later steps at the maps after the earlier ones",
           "rows of three steps: N >= 6, T >= 7, query = last; smaller sizes differ (docs/theory.md)"},
          "Theorem 3 of the paper, its conclusion, this project's formalization; docs/theory.md, section 5",
          closed_forms("T3.end"),
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
