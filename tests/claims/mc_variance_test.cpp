#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/mc_parts.hpp"

using namespace popgrad;

TEST_CASE("MC.variance: unbiased entry by entry, and the saving at small and at large step sizes") {
  const std::vector<Row> rows = claim_mc_variance().run(context_of(1, 1));
  check_verified(rows);
  CHECK(rows.size() == 6);
  const Row saved = row_of(rows, "saved, step 2");
  REQUIRE(saved.series.size() == 1);
  CHECK(saved.series[0].rows.size() == 6);
  for (const auto& row : saved.series[0].rows) CHECK(row.size() == saved.series[0].columns.size());
}

TEST_CASE("MC.variance: where orbits do not reach, unbiasedness is undecided and not tried") {
  const Row row = mc_unbiased(context_of(1), {5, 30, Background::any, Query::last, {}}, 2);
  CHECK(row.verdict == Verdict::undecided);
}

TEST_CASE("MC.variance: a run with the control variate is charged two passes a sample and its pilot") {
  const McStart start = mc_start({4, 6, Background::avoid, Query::last, {}}, 2, 1);
  const McRun plain = mc_run(start, 100, 1, true, std::nullopt), both = mc_run(start, 100, 1, true, start.control);
  const auto samples = static_cast<double>(plain.replicates.front().samples);
  CHECK(plain.passes == samples);
  CHECK(both.passes > 2 * samples);
  CHECK(both.passes < 2.5 * samples);
  CHECK(plain.variance().size() == static_cast<std::size_t>(mc_replicates));
}
