#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("L2.onestep: ideal logits, moments and accuracy agree for two seeds", "[slow]") {
  for (const std::uint64_t seed : {1u, 2u}) check_verified(claim_l2_onestep().run(context_of(seed, 0.5)));
}

TEST_CASE("L2.onestep at a small size the user chose") {
  ClaimContext context = context_of(4, 1);
  context.N = 8;
  context.T = 4;
  context.d = 16;
  const std::vector<Row> rows = claim_l2_onestep().run(context);
  CHECK(row_of(rows, "ideal").verdict == Verdict::verified);
  for (const char* part : {"logit moments", "accuracy"}) {
    const Row row = row_of(rows, part);
    INFO(row.reason);
    CHECK(row.comparison.verdict != Verdict::refuted);
    CHECK(row.configuration == "N=8 T=4 d=16");
  }
}
