#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/step2_by_places.hpp"
#include "theory/claims/t3_step2_parts.hpp"
#include "theory/formulas/step2.hpp"

using namespace popgrad;

TEST_CASE("T3.step2: closed forms for every hand-off, and where the step does not form the memory", "[slow]") {
  const std::vector<Row> rows = claim_t3_step2().run(context_of(1));
  check_verified(rows);
  check_covered(rows, {"", "order=full", "fails, ideal", "fails, isolated", "fails, full"}, {"last", "any"});
  check_covered(rows, {"off, orders 1..3", "off, order=full"}, {"last"});
}

TEST_CASE("T3.step2: what orbits cannot enumerate in rationals is undecided, not tried") {
  ClaimContext context = context_of(1);
  context.N = 5;
  context.T = 30;
  for (const Row& row : claim_t3_step2().run(context)) CHECK(row.verdict == Verdict::undecided);
}

TEST_CASE("T3.step2: the sums over places behind the closed form, with the output where it belongs and where it does not") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const HandedOn& way : handed_on_ways) {
        const MinimalTask task{3, 7, background, query, {}};
        INFO(task.describe() << " " << way.name);
        const Rational right = step2_diag_exact(task, way.handoff, way.blocks);
        CHECK(step2_diag_by_places(task, way.handoff, way.blocks, 1) == right);
        CHECK(step2_diag_by_places(task, way.handoff, way.blocks, 0) != right);
        CHECK(step2_diag_exact(task, way.handoff, way.blocks, HarmonicEnd::one_more) != right);
      }
}

TEST_CASE("T3.step2 at full softmax, (12,7) and (65,8): the sign is proved to be that of leading order", "[slow]") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      check_verified({step2_certified({12, 7, background, query, {}}), step2_certified({65, 8, background, query, {}})});
}

TEST_CASE("T3.step2: the row at (4,6) without a trigger in the background has the enumerated figures") {
  // 25/9216, 25/221184 and 1350193/9555148800: brute force over every sequence in exact arithmetic, another program.
  const Row row = step2_memory({4, 6, Background::avoid, Query::last, {}});
  CHECK(row.verdict == Verdict::verified);
  CHECK(row.comparison.headline.exact == "25/9216");
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK(step2_diag_exact(task, Handoff::actual, Blocks::isolated) == Rational(25, 221184));
  CHECK(step2_diag_exact(task, Handoff::actual, Blocks::full) == Rational(std::string("1350193/9555148800")));
}

TEST_CASE("T3.step2: each control is refuted at the entries that its change concerns") {
  const Row row = step2_memory({4, 6, Background::avoid, Query::last, {}});
  const auto worst = [&](const std::string& name) {
    for (const ControlOutcome& control : row.controls)
      if (control.name == name) return control.comparison.worst.name;
    FAIL("no control '" << name << "'");
    return std::string();
  };
  CHECK(worst("R block dropped") == "full (E,R) diag");
  CHECK(worst("hand-off swapped") == "isolated (E,R) diag");
  CHECK(worst("off = 0") == "ideal (E,R) off");
  for (const char* name : {"position shifted", "H(T) for H(T-1)", "other background"}) CHECK(worst(name) == "ideal (E,R) diag");
}
