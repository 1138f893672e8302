#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/t3_end_parts.hpp"

using namespace popgrad;

TEST_CASE("T3.end: the perfect head, the best possible answer, isolated steps that succeed and full ones that fall short") {
  const std::vector<Row> rows = claim_t3_end().run(context_of(1));
  check_verified(rows);
  for (const char* part : {"perfect head, c >> b", "perfect head, b >> e^c", "best possible", "isolated, three steps", "full blocks fall short"})
    row_of(rows, part);
  CHECK(row_of(rows, "isolated, three steps").series.size() == 1);
}

TEST_CASE("T3.end: long sequences are sampled, with either query") {
  const ClaimContext context = context_of(3, 0.5);
  check_verified({end_perfect_head({8, 10, Background::avoid, Query::last, {}}, SharperLayer::first_layer, context),
                  end_perfect_head({8, 10, Background::avoid, Query::any, {}}, SharperLayer::second_layer, context),
                  end_best_possible({8, 10, Background::any, Query::any, {}}, context)});
}

TEST_CASE("T3.end: an accuracy within its sampling error of the level is undecided, not a success") {
  Answer close;
  close.accuracy = 0.51;
  close.error = 0.01;
  const Entry open = above_level("x", true, close, 0.5, 1e-6, 3);
  CHECK(compare({open}, 0.5).verdict == Verdict::undecided);
  close.error = 0.001;
  CHECK(compare({above_level("x", true, close, 0.5, 1e-6, 3)}, 0.5).verdict == Verdict::verified);
  CHECK(compare({above_level("x", false, close, 0.5, 1e-6, 3)}, 0.5).verdict == Verdict::refuted);
}

TEST_CASE("T3.end: sequences too short for the second step leave out the rows of three steps") {
  ClaimContext context = context_of(1);
  context.N = 4;
  context.T = 5;
  const std::vector<Row> rows = claim_t3_end().run(context);
  CHECK(row_of(rows, "isolated, three steps").verdict == Verdict::not_applicable);
}
