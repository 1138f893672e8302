// T3.step3: the sizes at which a row does not recall the position before it.
#include <string>

#include "numerics/moment_grid.hpp"
#include "theory/claims/failure_region.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step3_parts.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

// An isolated actual hand-off multiplies the matrix by the product of the two signals before it: where the second is not positive the
// matrix is reversed or zero, and row 2, which recalls in one sign, does not in the other. Both sides of the row take that from here:
// what is checked at every size are the two factors, the matrix of the ideal hand-off and the sign of the second signal. Their product
// is checked entry by entry by the rows "actual, isolated" of T3.step3, at their sizes.
Row region(const MomentGrid& engine, const RegionGrid& grid, Handoff handoff) {
  std::vector<std::vector<bool>> recalls;  // from N = 2, T = 4
  for (int N = 2; N <= grid.largest_N; ++N) {
    recalls.push_back(engine.third_recalls(N, grid.background, grid.query));
    if (handoff == Handoff::ideal) continue;
    const std::vector<Rational> second = engine.second_diagonals(N, grid.background, grid.query, handoff, Blocks::isolated);
    for (std::size_t i = 0; i < second.size(); ++i) recalls.back()[i] = recalls.back()[i] && second[i] > 0;
  }
  const Region measured = [&](int N, int T) { return !recalls[static_cast<std::size_t>(N - 2)][static_cast<std::size_t>(T - 4)]; };
  const Background other = grid.background == Background::any ? Background::avoid : Background::any;
  const auto fails = [&grid, handoff](int N, int T, Background background) {
    const auto second = grid.query == Query::last ? step2_fails : step2_fails_any_length;
    return step3_fails(N, T, background) || (handoff == Handoff::actual && second(N, T, background, handoff, Blocks::isolated));
  };
  return judge_region("T3.step3", handoff == Handoff::ideal ? "fails, ideal" : "fails, isolated", grid, measured,
                      [&](int N, int T) { return fails(N, T, grid.background); },
                      {{"other background", "the region of the other background", [&](int N, int T) { return fails(N, T, other); }},
                       {"hand-off swapped", "ideal for isolated, or the actual full step 2 for ideal", [&](int N, int T) {
                          return step3_fails(N, T, grid.background) ||
                                 (handoff == Handoff::ideal && (grid.query == Query::last ? step2_fails : step2_fails_any_length)(
                                                                   N, T, grid.background, Handoff::actual, Blocks::full));
                        }},
                       {"everywhere", "no size recalls", [](int, int) { return true; }},
                       {"N = 3", "the next vocabulary", [](int N, int) { return N == 3; }},
                       {"N <= 3", "one vocabulary more than the statement, or two", [](int N, int) { return N <= 3; }},
                       {"T = 4", "the shortest sequences", [](int, int T) { return T == 4; }}});
}

}  // namespace

std::vector<Row> step3_regions(const ClaimContext& context, Query query, int largest) {
  const MomentGrid engine(largest);
  std::vector<Row> rows;
  for (const Background background : backgrounds(context))
    for (const Handoff handoff : {Handoff::ideal, Handoff::actual}) {
      context.progress("region of failure");
      rows.push_back(timed([&] { return region(engine, {largest, largest, background, query}, handoff); }));
    }
  return rows;
}

}  // namespace popgrad
