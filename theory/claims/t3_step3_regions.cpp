// T3.step3: the sizes at which a row does not recall the position before it.
#include <string>

#include "numerics/moment_grid.hpp"
#include "theory/claims/failure_region.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_step3_parts.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

Row region(const MomentGrid& engine, const RegionGrid& grid) {
  std::vector<std::vector<bool>> recalls;  // from N = 2, T = 4
  for (int N = 2; N <= grid.largest_N; ++N) recalls.push_back(engine.third_recalls(N, grid.background, grid.query));
  const Region measured = [&](int N, int T) { return !recalls[static_cast<std::size_t>(N - 2)][static_cast<std::size_t>(T - 4)]; };
  const Background other = grid.background == Background::any ? Background::avoid : Background::any;
  return judge_region("T3.step3", "fails, ideal", grid, measured,
                      [&](int N, int T) { return step3_fails(N, T, grid.background); },
                      {{"other background", "the region of the other background", [&](int N, int T) { return step3_fails(N, T, other); }},
                       {"everywhere", "no size recalls", [](int, int) { return true; }},
                       {"N = 3", "the next vocabulary", [](int N, int) { return N == 3; }},
                       {"N <= 3", "one vocabulary more than the statement, or two", [](int N, int) { return N <= 3; }},
                       {"T = 4", "the shortest sequences", [](int, int T) { return T == 4; }}});
}

}  // namespace

std::vector<Row> step3_regions(const ClaimContext& context, Query query, int largest) {
  const MomentGrid engine(largest);
  std::vector<Row> rows;
  for (const Background background : backgrounds(context)) {
    context.progress("region of failure");
    rows.push_back(timed([&] { return region(engine, {largest, largest, background, query}); }));
  }
  return rows;
}

}  // namespace popgrad
