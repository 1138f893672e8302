// All lengths at once against the engine that does one, and against orbits.
#include "numerics/moment_grid.hpp"

#include "core/errors.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/stage_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

bool recalls(const InvariantMaps<Rational>& maps) {
  const auto at = [&](int t, int s) { return maps.k1(Block::P, Block::P).entries[static_cast<std::size_t>(t * maps.T + s)]; };
  for (int t = 1; t <= maps.T - 2; ++t)
    for (int s = 0; s <= t; ++s)
      if (s != t - 1 && at(t, s) >= at(t, t - 1)) return false;
  return true;
}

const std::vector<std::pair<Handoff, Blocks>> ways = {
    {Handoff::ideal, Blocks::isolated}, {Handoff::actual, Blocks::isolated}, {Handoff::actual, Blocks::full}};

}  // namespace

TEST_CASE("the grid of moments has the memories of moment_terms at every length") {
  const MomentGrid grid(9);
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const int N : {2, 3, 7}) {
        const std::vector<bool> third = grid.third_recalls(N, background, query);
        REQUIRE(third.size() == 6);
        for (int T = 4; T <= 9; ++T) {
          const MinimalTask task{N, T, background, query, {}};
          INFO(task.describe());
          for (const auto& [handoff, blocks] : ways)
            CHECK(grid.second_diagonals(N, background, query, handoff, blocks)[static_cast<std::size_t>(T - 4)] ==
                  moment_terms(task, handoff, blocks, 2).front().descent.k2(Block::E, Block::R).diag);
          CHECK(third[static_cast<std::size_t>(T - 4)] == recalls(moment_terms(task, Handoff::ideal, Blocks::isolated, 3).back().descent));
        }
      }
}

TEST_CASE("the grid of moments agrees with orbits, and knows a failure from a success") {
  const MomentGrid grid(6);
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  for (const auto& [handoff, blocks] : ways)
    CHECK(grid.second_diagonals(4, Background::avoid, Query::last, handoff, blocks).back() ==
          stage_terms(task, handoff, blocks, 2).front().descent.k2(Block::E, Block::R).diag);
  CHECK(grid.third_recalls(4, Background::avoid, Query::last) == std::vector<bool>{true, true, true});
  CHECK(grid.third_recalls(2, Background::avoid, Query::last) == std::vector<bool>{false, false, false});
  CHECK_THROWS_AS(MomentGrid(3), HypothesisError);
  CHECK_THROWS_AS(MomentGrid(longest_grid + 1), HypothesisError);
}
