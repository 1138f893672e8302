// Two routes to the leading terms: every sequence with all entries written out, and sums over orbits at invariant
// parameters.
#include "numerics/stage_enumeration.hpp"

#include "numerics/block_summary.hpp"
#include "numerics/stage_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

bool same_maps(const IdealMaps<Rational>& a, const IdealMaps<Rational>& b) {
  return a.wo == b.wo && a.wk2 == b.wk2 && a.wk1 == b.wk1;
}

void check_stage(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  const std::vector<EnumeratedTerm> all = enumerated_stage_terms(task, handoff, blocks, stage);
  const std::vector<StageTerm> orbits = stage_terms(task, handoff, blocks, stage);
  INFO(task.describe() << " " << name(handoff) << " " << name(blocks) << " stage " << stage);
  REQUIRE(all.size() == orbits.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].monomial == orbits[i].monomial);
    CHECK(same_maps(all[i].descent, expand(orbits[i].descent)));
  }
}

}  // namespace

TEST_CASE("leading terms of every stage by enumeration equal those over orbits, entry by entry as rationals") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (int stage = 1; stage <= 3; ++stage) {
        const MinimalTask task = query == Query::any ? MinimalTask{2, 5, background, query, {}} : MinimalTask{3, 4, background, query, {}};
        check_stage(task, Handoff::ideal, Blocks::full, stage);
        check_stage(task, Handoff::actual, Blocks::isolated, stage);
        check_stage(task, Handoff::actual, Blocks::full, stage);
      }
}

TEST_CASE("the comparison of leading terms tells the hand-offs, the blocks and the backgrounds apart") {
  const MinimalTask task = MinimalTask{3, 5, Background::avoid, Query::last, {}};
  const auto descent = [](const MinimalTask& t, Handoff handoff, Blocks blocks) {
    return enumerated_stage_terms(t, handoff, blocks, 2).front().descent;
  };
  const IdealMaps<Rational> full = descent(task, Handoff::actual, Blocks::full);
  CHECK_FALSE(same_maps(full, descent(task, Handoff::actual, Blocks::isolated)));
  CHECK_FALSE(same_maps(full, descent(task, Handoff::ideal, Blocks::full)));
  CHECK_FALSE(same_maps(full, descent(MinimalTask{3, 5, Background::any, Query::last, {}}, Handoff::actual, Blocks::full)));
  CHECK_FALSE(same_maps(full, descent(MinimalTask{3, 5, Background::avoid, Query::any, {}}, Handoff::actual, Blocks::full)));
}

TEST_CASE(
    "stage 2 at N=4 T=6 avoid by enumeration has the diagonal 25/9216 of (E,R), and 25/221184 after an isolated step") {
  const MinimalTask task = MinimalTask{4, 6, Background::avoid, Query::last, {}};
  const auto diagonal = [&](Handoff handoff) {
    const std::vector<EnumeratedTerm> terms = enumerated_stage_terms(task, handoff, Blocks::isolated, 2);
    return find_block(summarize_wk2(terms.front().descent), "E,R").diag;
  };
  CHECK(diagonal(Handoff::ideal) == Rational(25, 9216));
  CHECK(diagonal(Handoff::actual) == Rational(25, 221184));
}

TEST_CASE("stages outside 1 to 3 are refused by the enumeration of leading terms") {
  const MinimalTask task = MinimalTask{3, 4, Background::any, Query::last, {}};
  CHECK_THROWS_AS(enumerated_stage_terms(task, Handoff::ideal, Blocks::full, 0), HypothesisError);
  CHECK_THROWS_AS(enumerated_stage_terms(task, Handoff::ideal, Blocks::full, 4), HypothesisError);
}
