#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("T3.step3: closed forms of every entry, and where a row does not recall its predecessor") {
  check_verified(claim_t3_step3().run(context_of(1)));
}

TEST_CASE("T3.step3: what orbits cannot enumerate in rationals is undecided, not tried") {
  ClaimContext context = context_of(1);
  context.N = 5;
  context.T = 30;
  for (const Row& row : claim_t3_step3().run(context)) CHECK(row.verdict == Verdict::undecided);
}
