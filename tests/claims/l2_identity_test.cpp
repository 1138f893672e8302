#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("L2.identity holds on random laws at random W for three seeds, every control refuted") {
  for (const std::uint64_t seed : {1u, 7u, 42u}) {
    const std::vector<Row> rows = claim_l2_identity().run(context_of(seed));
    check_verified(rows);
    CHECK(rows.back().grade == Grade::exact);
    CHECK(rows.front().grade == Grade::enumerated);
  }
}

TEST_CASE("L2.identity at the smallest vocabulary") {
  ClaimContext context = context_of(5);
  context.N = 2;
  context.d = 2;
  check_verified(claim_l2_identity().run(context));
}
