#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("L2.filter: noise cancels at W = 0 with uniform labels and in no other row, exactly, for three seeds") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const std::vector<Row> rows = claim_l2_filter().run(context_of(seed));
    check_verified(rows);
    CHECK(rows.size() == 4);
    for (const Row& row : rows) CHECK(row.grade == Grade::exact);
    // What stays is not small: the rows that state a failure predict non-zero noise.
    CHECK(std::abs(row_of(rows, "fails: other labels").comparison.headline.predicted) > 0);
    CHECK(std::abs(rows.back().comparison.headline.predicted) > 0);
  }
}
