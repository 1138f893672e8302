#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("T3.step2: closed forms for every hand-off, and where the step does not form the memory") {
  check_verified(claim_t3_step2().run(context_of(1)));
}

TEST_CASE("T3.step2: what orbits cannot enumerate in rationals is undecided, not tried") {
  ClaimContext context = context_of(1);
  context.N = 5;
  context.T = 30;
  for (const Row& row : claim_t3_step2().run(context)) CHECK(row.verdict == Verdict::undecided);
}
