#include <cmath>
#include <string>
#include <tuple>

#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/t3_emergence_parts.hpp"

using namespace popgrad;

TEST_CASE("T3.emergence: growth, paths and the head over a uniform first attention", "[slow]") {
  const std::vector<Row> rows = claim_t3_emergence().run(context_of(1));
  check_verified(rows);
  REQUIRE(rows.size() == 5);
  CHECK(row_of(rows, "growth in T").series.front().figure == "emergence_T");
  CHECK(row_of(rows, "growth in N").series.front().figure == "emergence_N");
  CHECK(row_of(rows, "uniform first attention").comparison.widest < 1e-12);
}

TEST_CASE("T3.emergence: no statement with background any, none beyond T = 8, and both say so") {
  ClaimContext context = context_of(1);
  context.background = Background::any;
  for (const Row& row : claim_t3_emergence().run(context)) CHECK(row.verdict == Verdict::not_applicable);
  context.background = Background::avoid;
  context.N = 3;
  context.T = 9;
  int refused = 0;
  for (const Row& row : claim_t3_emergence().run(context)) {
    if (row.part == "paths") CHECK(row.verdict == Verdict::not_applicable);
    refused += row.verdict == Verdict::undecided && !row.next.empty() ? 1 : 0;
  }
  CHECK(refused == 2);  // growth in N and the head; the paths are not stated there
}

TEST_CASE("T3.emergence: the paths are stated at N = 4, T = 5..8, query last, and others are not applicable", "[slow]") {
  // At (8,5) the head is later without the value path, which a row there would refute.
  for (const auto& [N, T, query] : {std::tuple{8, 5, Query::last}, {4, 4, Query::last}, {4, 6, Query::any}}) {
    ClaimContext context = context_of(1);
    context.N = N;
    context.T = T;
    context.background = Background::avoid;
    context.query = query;
    INFO("N = " << N << " T = " << T);
    const Row row = row_of(claim_t3_emergence().run(context), "paths");
    CHECK(row.verdict == Verdict::not_applicable);
    CHECK(row.reason.find("N = 4") != std::string::npos);
  }
}

TEST_CASE("an inequality is decided only outside the error, and then may go either way") {
  CHECK(above("x", 2, 0.1, 1, true).ratio() == 0);
  CHECK(std::isinf(above("x", 2, 0.1, 1, false).ratio()));
  CHECK(above("x", 1.05, 0.1, 1, true).budget.total() == 1);
  CHECK(above("x", 1.05, 0.1, 1, false).ratio() < 1);
}
