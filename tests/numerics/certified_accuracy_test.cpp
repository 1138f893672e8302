// Enclosures of the accuracy against the count in doubles, and ties that a float comparison cannot see.
#include "numerics/certified_accuracy.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "numerics/certified_descent.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

InvariantMaps<double> memories(int N, int T, double first, double second, double third) {
  const InvariantMaps<double> all = invariant_memories<double>(N, T);
  InvariantMaps<double> maps(N, T);
  maps.add(first, isolate(all, 1)).add(second, isolate(all, 2)).add(third, isolate(all, 3));
  return maps;
}

}  // namespace

TEST_CASE("certified accuracy: zero maps guess, 1/N by ties proved at every row") {
  for (const Query query : {Query::last, Query::any}) {
    const MinimalTask task{6, 6, Background::any, query, {}};
    const CertifiedAccuracy found = certified_accuracy(task, InvariantMaps<Interval>(6, 6));
    CHECK(found.undecided == 0);
    CHECK(found.tied == found.rows);
    CHECK(found.accuracy.width() < 1e-14);
    CHECK(found.accuracy.lower() <= 1.0 / 6);
    CHECK(found.accuracy.upper() >= 1.0 / 6);
  }
}

TEST_CASE("certified accuracy: one step alone counts tokens, and ties of counts are proved") {
  // W_O* and nothing else: the most frequent token. By hand at T = 4, any: q . q' with one free token x at a place that tau
  // leaves, q o x q or x q o q; right iff o = q (3 or more q), or never alone on top: q is there twice.
  const MinimalTask task{5, 4, Background::any, Query::last, {}};
  const CertifiedAccuracy found = certified_accuracy(task, enclose(memories(5, 4, 1, 0, 0)));
  CHECK(found.undecided == 0);
  // o = q: certain, 1/5. o /= q and x = o: two each, a tie of two: 4/5 times 1/5 times 1/2.
  CHECK(found.accuracy.contains(0.2 + 0.08));
  CHECK(found.accuracy.width() < 1e-14);
  CHECK(found.tied > 0);
}

TEST_CASE("certified accuracy: contains the count in doubles, ideal memories at each stage") {
  for (const Background background : {Background::any, Background::avoid})
    for (const auto& [second, third] : {std::pair{0.0, 0.0}, {4.0, 0.0}, {4.0, 4.0}}) {
      const MinimalTask task{6, 7, background, Query::last, {}};
      const InvariantMaps<double> maps = memories(6, 7, 2, second, third);
      const CertifiedAccuracy found = certified_accuracy(task, enclose(maps));
      const double counted = orbit_loss(task, maps).accuracy;
      INFO(task.describe() << " " << second << " " << third << ": [" << found.accuracy.lower() << ", " << found.accuracy.upper()
                           << "], counted " << counted << ", undecided " << found.undecided << " of " << found.rows);
      CHECK(found.undecided == 0);
      // The count in doubles may take a tie for a win where two equal logits round differently: allow it the tied rows alone.
      CHECK(std::abs(counted - found.accuracy.middle()) <= (found.tied > 0 ? 0.05 : 1e-12));
      CHECK(found.accuracy.width() < 1e-12);
    }
}

TEST_CASE("certified accuracy: what enclosures cannot tell is counted both ways") {
  const MinimalTask task{6, 6, Background::avoid, Query::last, {}};
  InvariantMaps<Interval> maps = enclose(memories(6, 6, 1, 3, 3));
  const CertifiedAccuracy sharp = certified_accuracy(task, maps);
  for (Interval& x : maps.k1(Block::P, Block::P).entries)
    if (!is_zero(x)) x = Interval(0, 3);
  const CertifiedAccuracy wide = certified_accuracy(task, maps);
  CHECK(wide.undecided > 0);
  CHECK(wide.undecided_mass > 0);
  CHECK(wide.accuracy.lower() <= sharp.accuracy.lower());
  CHECK(wide.accuracy.upper() >= sharp.accuracy.upper());
  CHECK(wide.accuracy.upper() <= wide.accuracy.lower() + wide.undecided_mass + 1e-12);
  maps.u(Block::E).diag = Interval::whole();
  CHECK_THROWS_AS(certified_accuracy(task, maps), HypothesisError);
}

TEST_CASE("certified accuracy: three actual isolated steps at (65,8), proved") {
  const MinimalTask task{65, 8, Background::avoid, Query::last, {}};
  const StageSizes sizes{520, 520 * 8, 520 * 64};
  const InvariantMaps<Interval> maps = certified_start(task, Handoff::actual, Blocks::isolated, 4, sizes);
  const CertifiedAccuracy found = certified_accuracy(task, maps);
  const double counted = orbit_loss(task, stage_start(task, Handoff::actual, Blocks::isolated, 4, sizes)).accuracy;
  INFO("[" << found.accuracy.lower() << ", " << found.accuracy.upper() << "], counted " << counted << ", undecided " << found.undecided
           << " and tied " << found.tied << " of " << found.rows);
  CHECK(found.accuracy.width() < 1e-3);
  CHECK(counted >= found.accuracy.lower() - 1e-9);
  CHECK(counted <= found.accuracy.upper() + 1e-9);
  CHECK(found.accuracy.lower() > 1.0 / 65);
}
