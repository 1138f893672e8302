#include "core/errors.hpp"
#include "tests/claims/claim_support.hpp"
#include "numerics/certified_descent.hpp"
#include "theory/claims/all.hpp"
#include "theory/formulas/step1.hpp"

using namespace popgrad;

TEST_CASE("T3.step1: rationals equal the closed form at (3,5), (4,6), (5,6), both backgrounds and both queries") {
  const std::vector<Row> rows = claim_t3_step1().run(context_of(1));
  check_verified(rows);
  CHECK(rows.size() == 10);
  for (const Row& row : rows) {
    CHECK(row.grade == Grade::exact);
    CHECK(row.comparison.widest == 0);
  }
}

TEST_CASE("T3.step1: the largest coefficient at (4,6) is (1/24)(3/4)") {
  ClaimContext context = context_of(1);
  context.N = 4;
  context.T = 6;
  context.background = Background::avoid;
  context.query = Query::last;
  const std::vector<Row> rows = claim_t3_step1().run(context);
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].part == "weighted labels");
  CHECK(rows[0].comparison.headline.exact == "1/32");
}

TEST_CASE("T3.step1: full softmax is leading order, whatever the hand-off and the blocks, since the step starts at zero") {
  const MinimalTask task{65, 8, Background::avoid, Query::last, {}};
  const Rational diag = step1_ue_diag().evaluate_exact({{"N", 65}, {"T", 8}}), copied = step1_ur_diag().evaluate_exact({{"N", 65}, {"T", 8}});
  for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
    for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
      const InvariantMaps<Interval> start = certified_start(task, handoff, blocks, 1, {7, 7, 7});
      const InvariantMaps<Interval> step = certified_descent(task, start, {true, false, false});
      // A rational lies in an interval if it does between ends taken as rationals.
      const auto inside = [](const Rational& x, const Interval& in) { return Rational(in.lower()) <= x && x <= Rational(in.upper()); };
      CHECK(inside(diag, step.u(Block::E).diag));
      CHECK(inside(copied, step.u(Block::R).diag));
      CHECK_FALSE(inside(Rational(diag * 1001 / 1000), step.u(Block::E).diag));
    }
}

TEST_CASE("T3.step1 refuses sizes that are not a minimal task, naming them") {
  for (const auto& [N, T] : std::vector<std::pair<int, int>>{{1, 6}, {4, 3}}) {
    ClaimContext context = context_of(1);
    context.N = N;
    context.T = T;
    CHECK_THROWS_AS(claim_t3_step1().run(context), InputError);
  }
}

TEST_CASE("T3.step1 at a size that cannot be enumerated in rationals is undecided and says so, at once") {
  ClaimContext context = context_of(1);
  context.N = 65;
  const std::vector<Row> rows = claim_t3_step1().run(context);
  REQUIRE(!rows.empty());
  for (const Row& row : rows) {
    CHECK(row.verdict == Verdict::undecided);
    CHECK(row.reason.find("sequences") != std::string::npos);
    CHECK_FALSE(row.next.empty());
  }
}
