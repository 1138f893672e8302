#include "theory/formulas/value_path.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("value path, eta1^2: the latest key is the least damped, so rows 2..T-2 prefer t itself to t-1") {
  for (const Background background : {Background::any, Background::avoid})
    for (const int N : {2, 3, 8, 40})
      for (const int T : {4, 5, 8, 12}) {
        const MinimalTask task{N, T, background, Query::last, {}};
        for (int t = 1; t <= T - 2; ++t) {
          INFO(task.describe() << " row " << t + 1);
          bool largest = true;  // of the row, at s = t
          for (int s = 0; s < t; ++s) largest = largest && value_path_second(task, t, s) < value_path_second(task, t, t);
          const bool before_last = t == T - 2;
          if (background == Background::any) CHECK(largest);
          if (background == Background::avoid && !before_last) CHECK(largest == !(N == 2 && T == 4));
        }
      }
  // avoid, row T-1: P_t is read less by chance than P_{t-1}, but agrees more often with the trigger's neighbours
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK(value_path_second(task, 4, 3) > value_path_second(task, 4, 4));
}

TEST_CASE("value path refuses what it does not describe, and its false harmonic number gives another value") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK(value_path_first(task, 2, 1, HarmonicEnd::one_more) != value_path_first(task, 2, 1));
  CHECK(value_path_second(task, 2, 1, HarmonicEnd::one_more) != value_path_second(task, 2, 1));
  CHECK_THROWS_AS(value_path_first(task, 6, 0), HypothesisError);
  CHECK_THROWS_AS(value_path_second(task, 0, -1), HypothesisError);
  CHECK_THROWS_AS(value_path_second({4, 6, Background::avoid, Query::last, {1, 2, 3, 4}}, 1, 0), HypothesisError);
}
