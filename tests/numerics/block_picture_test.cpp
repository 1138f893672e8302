#include "numerics/block_picture.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "numerics/moment_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// Coordinate of (block, index from 1) in E, P, R, S order; U counts tokens.
int coordinate(const Coordinates& at, double block, double index) {
  const int i = static_cast<int>(index) - 1;
  return block == 0 ? i : at.at(all_blocks[static_cast<std::size_t>(block) - 1], i);
}

}  // namespace

TEST_CASE("picture: every entry of the written out maps, row by row") {
  const MinimalTask task{3, 5, Background::avoid, Query::last, {}};
  for (int map = 1; map <= 3; ++map) {
    const InvariantMaps<Rational> descent = moment_terms(task, Handoff::ideal, Blocks::full, map).back().descent;
    const IdealMaps<Rational> whole = expand(descent);
    const auto points = picture_points(7, block_summaries(descent, map), task.N, task.T);
    const std::size_t width = map == 3 ? 8 : 16;
    REQUIRE(points.size() == (map == 1 ? 3 : width) * width);
    CHECK(std::is_sorted(points.begin(), points.end(), [](const auto& a, const auto& b) {
      return std::lexicographical_compare(a.begin(), a.begin() + 5, b.begin(), b.begin() + 5);
    }));
    int wrong = 0;
    for (const auto& point : points) {
      REQUIRE(point.size() == picture_columns().size());
      const int row = coordinate(whole.at, point[1], point[2]), column = coordinate(whole.at, point[3], point[4]);
      const Rational& entry = map == 1 ? whole.u(row, column) : map == 2 ? whole.k2(row, column) : whole.k1(row, column);
      wrong += point[5] == to_double(entry) && point[0] == 7 && point[6] == 3 ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("picture: at most eight tokens are written out, whatever N is") {
  const MinimalTask task{65, 5, Background::any, Query::last, {}};
  const auto points = picture_points(1, block_summaries(moment_terms(task, Handoff::ideal, Blocks::full, 2).front().descent, 2), 65, 5);
  CHECK(points.size() == 26 * 26);
  CHECK_THROWS_AS(block_summaries(InvariantMaps<Rational>(3, 5), 4), HypothesisError);
}
