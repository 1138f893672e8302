// T3.step2: the sizes at which the step does not form its memory.
#include <algorithm>
#include <string>

#include "numerics/moment_grid.hpp"
#include "theory/claims/failure_region.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step2_parts.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {
namespace {

Row region(const MomentGrid& engine, const RegionGrid& grid, const HandedOn& way) {
  std::vector<std::vector<Rational>> diagonals;  // from N = 2, T = 4
  for (int N = 2; N <= grid.largest_N; ++N)
    diagonals.push_back(engine.second_diagonals(N, grid.background, grid.query, way.handoff, way.blocks));
  const Region measured = [&](int N, int T) { return diagonals[static_cast<std::size_t>(N - 2)][static_cast<std::size_t>(T - 4)] <= 0; };
  const auto fails = [&](Background background, Query query) -> Region {
    return [background, query, &way](int N, int T) {
      return query == Query::last ? step2_fails(N, T, background, way.handoff, way.blocks)
                                  : step2_fails_any_length(N, T, background, way.handoff, way.blocks);
    };
  };
  const Region stated = fails(grid.background, grid.query);
  const Background other = grid.background == Background::any ? Background::avoid : Background::any;
  return judge_region("T3.step2", std::string("fails, ") + way.name, grid, measured, stated,
                      {{"nowhere", "the step forms the memory at every size", [](int, int) { return false; }},
                       {"T shifted by one", "the region one position further", [&](int N, int T) { return stated(N, std::max(4, T - 1)); }},
                       {"other background", "the region of the other background", fails(other, grid.query)},
                       {"other query", "the region of one length for a mixture, or the other way round",
                        fails(grid.background, grid.query == Query::last ? Query::any : Query::last)},
                       {"hand-off swapped", "the region of full for ideal and isolated, and the other way round",
                        [&, swapped = handed_on_ways[way.blocks == Blocks::full ? 0 : 2]](int N, int T) {
                          return grid.query == Query::last ? step2_fails(N, T, grid.background, swapped.handoff, swapped.blocks)
                                                           : step2_fails_any_length(N, T, grid.background, swapped.handoff, swapped.blocks);
                        }},
                       {"one N less", "the region without the largest vocabulary of the grid",
                        [&](int N, int T) { return N < grid.largest_N && stated(N, T); }}});
}

}  // namespace

std::vector<Row> step2_regions(const ClaimContext& context, Query query, int largest) {
  const MomentGrid engine(largest);
  std::vector<Row> rows;
  for (const Background background : backgrounds(context))
    for (const HandedOn& way : handed_on_ways) {
      context.progress("region of failure");
      rows.push_back(timed([&] { return region(engine, {largest, largest, background, query}, way); }));
    }
  return rows;
}

}  // namespace popgrad
