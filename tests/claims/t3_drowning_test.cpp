#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("T3.drowning: shares of (P,P) and (P,S), and which blocks keep the head from forming", "[slow]") {
  check_verified(claim_t3_drowning().run(context_of(1)));
}

TEST_CASE("T3.drowning: at (4,6), where the ablations are false, they are not claimed, and the shares are") {
  ClaimContext context = context_of(1);
  context.N = 4;
  context.T = 6;
  int shares = 0, ablations = 0;
  for (const Row& row : claim_t3_drowning().run(context)) {
    INFO(row.part << ": " << row.reason);
    (row.part == "shares" ? shares : ablations) += 1;
    CHECK(row.verdict == (row.part == "shares" ? Verdict::verified : Verdict::not_applicable));
  }
  CHECK(shares == 2);
  CHECK(ablations == 2);
}

TEST_CASE("T3.drowning: with background any the hypothesis does not hold") {
  ClaimContext context = context_of(1);
  context.background = Background::any;
  for (const Row& row : claim_t3_drowning().run(context)) CHECK(row.verdict == Verdict::not_applicable);
}
