#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("T3.onset.full: the signal of (P,P) at t^3, its closed form and what it needs", "[slow]") {
  const std::vector<Row> rows = claim_t3_onset_full().run(context_of(1));
  check_verified(rows);
  REQUIRE(rows.size() == 8);
  for (const char* part : {"without (U,R)", "without value path", "p_hat = 1/N"}) {
    const Row row = row_of(rows, part);
    CHECK(row.comparison.headline.exact == "0");
    CHECK(row.comparison.widest == 0);
  }
  CHECK(row_of(rows, "without key path").comparison.headline.exact != "0");
  CHECK(row_of(rows, "flow").grade == Grade::enumerated);
}

TEST_CASE("T3.onset.full: T = 4 has no row with a signal, T = 12 is too long, and both say so") {
  ClaimContext context = context_of(1);
  context.T = 4;
  for (const Row& row : claim_t3_onset_full().run(context)) CHECK(row.verdict == Verdict::not_applicable);
  context.T = 12;
  for (const Row& row : claim_t3_onset_full().run(context)) {
    CHECK(row.verdict == Verdict::undecided);
    CHECK_FALSE(row.next.empty());
  }
}
