// T3.gate: nothing can be learned by the key matrices before the output matrix has learned something.
#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_gate_parts.hpp"

namespace popgrad {
namespace {

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  using Part = Row (*)(const ClaimContext&, const MinimalTask&);
  // `limit`: the parts differ in how many coefficients a sequence costs.
  const auto add_query = [&](const std::string& name, Part part, double limit, const std::vector<std::pair<int, int>>& defaults,
                             Query query) {
    for (const auto& [N, T] : sizes(context, defaults))
      for (const Background background : backgrounds(context)) {
        const MinimalTask task{N, T, background, query, {}};
        task.validate();
        context.progress(task.describe());
        const auto refused = too_many_sequences("T3.gate", name, task, limit);
        rows.push_back(refused ? *refused : timed([&] { return part(context, task); }));
      }
  };
  // `any`: the size for a mixture of lengths, a small one where series cost seconds.
  const auto add = [&](const std::string& name, Part part, double limit, const std::vector<std::pair<int, int>>& defaults,
                       const std::pair<int, int>& any) {
    if (context.query != Query::any) add_query(name, part, limit, defaults, Query::last);
    if (context.query != Query::last) add_query(name, part, limit, {any}, Query::any);
  };
  add("W_O=0", gate_without_output, rational_limit / 20, {{3, 5}}, {2, 5});
  add("W_O=0, large keys", gate_without_output_enumerated, rational_limit, {{4, 6}}, {3, 6});
  add("W_K2=0, ideal W_O", gate_ideal_handoff, rational_limit / 20, {{3, 5}}, {2, 5});
  add("W_K2=0, isolated W_O", gate_isolated_handoff, rational_limit / 20, {{2, 5}}, {2, 5});
  add("value path", gate_value_path, rational_limit / 4, {{3, 5}, {4, 6}}, {3, 5});
  context.progress("finite d");
  for (Row& row : gate_finite(context)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

Claim claim_t3_gate() {
  return {"T3.gate",
          "With W_O = 0 the population gradients in W_K1 and W_K2 are exactly zero, whatever W_K1 and W_K2. With W_K2 = 0 and W_O = "
          "alpha W_O*, or the (U,E) block of the first step, the gradient in W_K1 is exactly zero; with the full first step W_O = eta1 (-dL/dW_O) it is not: the R block "
          "opens a value path, whose four blocks have closed forms to first order in eta1. At finite d, W_O2 = 0 still gives a zero "
          "gradient in W_K2, but one in W_K1 whose root mean square over embeddings decays as sqrt(C/d), C in closed form. (With W_O = 0 "
          "every path from a key matrix to the loss is cut, so those rows test the engines as much as the theory.)",
          {"minimal task, labels uniform", "ideal model, kappa = 1 (first three parts)",
           "Gaussian N(0, 1/d) embeddings and frozen maps (finite d)"},
          "Theorem 3 and Figure 3 of the paper, this project's formalization; docs/theory.md, section 5",
          closed_forms("T3.gate"),
          run,
          {"N", "T", "d", "background", "query"}};
}

}  // namespace popgrad
