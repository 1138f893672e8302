#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("L2.variance holds exactly, enumerated and sampled, for two seeds") {
  for (const std::uint64_t seed : {1u, 2u}) check_verified(claim_l2_variance().run(context_of(seed)));
}

TEST_CASE("L2.variance: too few batches leave the sampled row undecided, not verified") {
  const std::vector<Row> rows = claim_l2_variance().run(context_of(1, 1e-9));
  const Row row = row_of(rows, "sampled");
  CHECK(row.verdict == Verdict::undecided);
  CHECK_FALSE(row.next.empty());
}
