// T3.emergence: when the head emerges along the population gradient flow, and through which path.
#include <algorithm>

#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_emergence_parts.hpp"

namespace popgrad {
namespace {

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  const Background background = context.background.value_or(Background::avoid);
  const Query query = context.query.value_or(Query::last);
  const auto task_of = [&](int N, int T) { return MinimalTask{N, T, background, query, {}}; };
  constexpr int longest = 8;  // 4140 kinds of sequences, some seconds a run
  const auto add = [&](const std::string& part, const MinimalTask& task, const std::function<Row()>& make) {
    task.validate();
    context.progress(part);
    const bool paths = part == "paths";
    if (background != Background::avoid)
      rows.push_back(not_applicable(emergence_id, part, task.describe(), "background = avoid (with any, more than one trigger stays ambiguous)"));
    else if (paths && (query != Query::last || task.N != 4 || task.T < 5 || task.T > longest))
      rows.push_back(not_applicable(emergence_id, part, task.describe(),
                                    "N = 4, T = 5..8, query = last (which path matters depends on N, T and query)"));
    else if (task.T > longest)
      rows.push_back(undecided(emergence_id, part, task.describe(), "flows at this length take too long for this row",
                               "use T <= 8 here, or popgrad emergence"));
    else
      rows.push_back(timed(make));
  };
  const MinimalTask over_T = task_of(context.N.value_or(3), 8), over_N = task_of(8, context.T.value_or(5));
  add("growth in T", over_T, [&] { return emergence_growth_T(over_T, {5, 6, 7, 8}); });
  add("growth in N", over_N, [&] { return emergence_growth_N(over_N, {8, 16, 32, 64}); });
  for (const auto& [N, T] : sizes(context, {{4, 5}, {4, 6}})) {
    const MinimalTask task = task_of(N, T);
    add("paths", task, [&] { return emergence_paths(task); });
  }
  std::vector<MinimalTask> heads;
  for (const auto& [N, T] : sizes(context, {{3, 4}, {4, 6}, {6, 7}})) heads.push_back(task_of(N, T));
  add("uniform first attention", heads.back(), [&] { return uniform_head(heads); });
  return rows;
}

}  // namespace

Claim claim_t3_emergence() {
  return {emergence_id,
          "Population gradient flow from zero, all maps and blocks at one rate, background avoid: the time at which the loss is half of log N grows "
          "with T faster than T and, from T = 6 on, slower than T^2, with a local exponent that falls from one length to the next; and with N slower "
          "than N and faster than its root. The exponents for large T and N are not stated: these sizes do not decide them. At N = 4, T = 5..8, "
          "query last the head forms without the key path, 5 to 25 % later, and slightly earlier without the value path that starts the (P,P) signal; "
          "with W_K1 at zero it is later still. Which path matters, and which way, depends on N, T and query: elsewhere nothing is stated about the "
          "paths. A head over a uniform first attention that looks for the largest share of the trigger, and away from the trigger, has accuracy "
          "1 - 1/N: it is wrong exactly where o = q.",
          {"minimal task, labels uniform, background avoid", "ideal model, kappa = 1", "all maps zero at t = 0, one rate",
           "T = 5..8 at N = 3 and N = 8..64 at T = 5, unless other sizes are given", "paths: N = 4, T = 5..8 and query = last only"},
          "This project, from exact trajectories; docs/theory.md, section 5, T3.emergence",
          {},
          run,
          {"N", "T", "background", "query"}};
}

}  // namespace popgrad
