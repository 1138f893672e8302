#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("T3.onset.isolated: the t^4 matrix is a1 b2/4 times that of step 3, exactly, and small steps follow it", "[slow]") {
  const std::vector<Row> rows = claim_t3_onset_isolated().run(context_of(1));
  check_verified(rows);
  REQUIRE(rows.size() == 4);
  for (const Row& row : rows) {
    const bool flow = row.part == "flow";
    CHECK(row.grade == (flow ? Grade::enumerated : Grade::exact));
    if (!flow) CHECK(row.comparison.widest == 0);
    CHECK(row.series.size() == (flow ? 1U : 0U));
  }
}

TEST_CASE("T3.onset.isolated: with query any the first coefficient is the mean over lengths") {
  ClaimContext context = context_of(1);
  context.N = 3;
  context.T = 5;
  context.background = Background::avoid;
  context.query = Query::any;
  const Row row = claim_t3_onset_isolated().run(context).front();
  CHECK(row.verdict == Verdict::verified);
  CHECK(row.comparison.headline.exact == "1/20");  // (1/6)(1/4 + 1/5)(1 - 1/3)
}

TEST_CASE("T3.onset.isolated: no statement where step 2 has no gradient, none where series are too long") {
  ClaimContext context = context_of(1);
  context.N = 2;
  context.T = 4;
  context.background = Background::avoid;
  for (const Row& row : claim_t3_onset_isolated().run(context)) {
    if (row.configuration.find("query=any") == std::string::npos) CHECK(row.verdict == Verdict::not_applicable);
    CHECK(row.verdict != Verdict::refuted);
  }
  context.T = 12;
  for (const Row& row : claim_t3_onset_isolated().run(context)) CHECK(row.verdict == Verdict::undecided);
}
