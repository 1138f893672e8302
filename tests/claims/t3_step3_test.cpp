#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/t3_step3_parts.hpp"
#include "theory/formulas/step3.hpp"
#include "theory/formulas/value_path.hpp"

using namespace popgrad;

TEST_CASE("T3.step3: closed forms of every entry, and where a row does not recall its predecessor", "[slow]") {
  const std::vector<Row> rows = claim_t3_step3().run(context_of(1));
  check_verified(rows);
  check_covered(rows,
                {"ideal", "actual, isolated", "full, eta1", "full, eta1^2", "full, eta1^2*eta2", "order=full", "fails, ideal", "fails, isolated"},
                {"last", "any"});
  check_covered(rows, {"fails, full, eta1^2*eta2"}, {"last"});
}

TEST_CASE("T3.step3: what orbits cannot enumerate in rationals is undecided, not tried") {
  ClaimContext context = context_of(1);
  context.N = 5;
  context.T = 30;
  for (const Row& row : claim_t3_step3().run(context)) CHECK(row.verdict == Verdict::undecided);
}

TEST_CASE("T3.step3: the enumerated figures of (4,6) without a trigger in the background") {
  // 5/768 and row 3 of the value path proportional to (-2, 1, 1): brute force over every sequence, another program.
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK(step3_memory(task, false).comparison.headline.exact == "5/768");
  CHECK(step3_entry_exact(task, 2, 0) == Rational(-1, 288));
  CHECK(step3_entry_exact(task, 2, 1) == Rational(1, 192));
  CHECK(step3_entry_exact(task, 2, 2) == Rational(-1, 576));
  CHECK(value_path_first(task, 2, 0) == -2 * value_path_first(task, 2, 1));
  CHECK(value_path_first(task, 2, 1) == value_path_first(task, 2, 2));
  CHECK(value_path_first(task, 2, 1) > 0);
}

TEST_CASE("T3.step3: each control of a monomial is refuted at the entries that its change concerns") {
  const std::vector<Row> rows = step3_monomials({4, 6, Background::avoid, Query::last, {}});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].part == "full, eta1");
  CHECK(rows[1].part == "full, eta1^2");
  CHECK(rows[2].part == "full, eta1^2*eta2");
  check_verified(rows);
  for (const Row& row : {rows[0], rows[1]})
    for (const ControlOutcome& control : row.controls) {
      if (control.name == "prefers t-1") CHECK(control.comparison.worst.name == "(P3,P2)");
      if (control.name == "H(T) for H(T-1)") CHECK(control.comparison.worst.name == "(P2,P1)");
    }
}

TEST_CASE("T3.step3: behind full blocks row 2 prefers P_2 at eta1^2 eta2, at every size up to (8,7)", "[slow]") {
  for (const Background background : {Background::any, Background::avoid}) check_verified({step3_full_region(background, 8, 7)});
}

TEST_CASE("T3.step3 at full softmax, (12,7): every row is proved to do what leading order says", "[slow]") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any}) check_verified({step3_certified({12, 7, background, query, {}})});
}

TEST_CASE("T3.step3 at full softmax, (65,8): every row is proved to do what leading order says", "[slow]") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any}) check_verified({step3_certified({65, 8, background, query, {}})});
}
