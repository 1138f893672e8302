// The orders of the value path against sums over orbits in series: another program path, no formula shared.
#include "theory/formulas/value_path.hpp"

#include "core/errors.hpp"
#include "numerics/stage_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("value path, eta1 and eta1^2: every entry of (P,P) at small sizes, both backgrounds and queries") {
  for (const auto& [N, T] : {std::pair{2, 4}, {3, 5}, {4, 6}})
    for (const Background background : {Background::any, Background::avoid})
      for (const Query query : {Query::last, Query::any}) {
        const MinimalTask task{N, T, background, query, {}};
        const auto terms = stage_terms(task, Handoff::actual, Blocks::full, 3);
        for (int t = 0; t < T; ++t)
          for (int s = 0; s < T; ++s) {
            INFO(task.describe() << " row " << t + 1 << " column " << s + 1);
            const auto at = static_cast<std::size_t>(t * task.T + s);
            CHECK(value_path_first(task, t, s) == terms[0].descent.k1(Block::P, Block::P).entries[at]);
            CHECK(value_path_second(task, t, s) == terms[1].descent.k1(Block::P, Block::P).entries[at]);
          }
      }
}
