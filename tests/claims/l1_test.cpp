#include "core/errors.hpp"
#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"

using namespace popgrad;

TEST_CASE("L1 holds on the corpus law for two seeds, and every wrong ingredient is refuted") {
  for (const std::uint64_t seed : {1u, 2u}) check_verified(claim_l1().run(context_of(seed)));
}

TEST_CASE("L1 on a two-token corpus, where one token has a single successor") {
  ClaimContext context = context_of(3);
  context.corpus = count_bigrams("text", "abaabaaab", "hand-made");
  context.d = 3;
  const std::vector<Row> rows = claim_l1().run(context);
  for (const Row& row : rows) {
    INFO(row.reason);
    CHECK(row.verdict == Verdict::verified);
    CHECK(row.comparison.entries == 9);
  }
}
