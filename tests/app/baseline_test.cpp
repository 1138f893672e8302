#include "app/baseline.hpp"

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "sample_rows.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

Results results(std::vector<Row> rows, std::uint64_t seed = 1) {
  Results r;
  r.seed = seed;
  r.rows = std::move(rows);
  return r;
}

const std::vector<std::string> all_claims = {"T3.step1", "L2.variance", "L1"};

BaselineReport compare_runs(const Results& before, const Results& now, const std::vector<std::string>& claims = all_claims) {
  return compare_with_baseline(before, now, claims, "old.json");
}

// The only change, as kind, before and after.
void check_only(const BaselineReport& report, Change::Kind kind, const std::string& before, const std::string& after) {
  REQUIRE(report.changes.size() == 1);
  CHECK(report.changes[0].kind == kind);
  CHECK(report.changes[0].before == before);
  CHECK(report.changes[0].after == after);
}

}  // namespace

TEST_CASE("a run does not differ from itself, whatever its times and revisions") {
  Results before = results({exact_row(), sampled_row(0.501)});
  Results now = before;
  now.revision = "other";
  now.rows[0].seconds = 100;
  const BaselineReport report = compare_runs(before, now);
  CHECK_FALSE(report.changed());
  CHECK(report.compared == 2);
}

TEST_CASE("a changed verdict is reported") {
  Results now = results({exact_row(), sampled_row(0.5)});
  now.rows[1].verdict = Verdict::undecided;
  check_only(compare_runs(results({exact_row(), sampled_row(0.5)}), now), Change::Kind::verdict, "verified", "undecided");
}

TEST_CASE("a changed grade is reported") {
  Results now = results({sampled_row(0.5)});
  now.rows[0].grade = Grade::observed;
  check_only(compare_runs(results({sampled_row(0.5)}), now), Change::Kind::grade, "sampled", "observed");
}

TEST_CASE("a missing row and a new row are reported") {
  const Row other = exact_row(Rational(1, 24), "N=5 T=6 avoid");
  check_only(compare_runs(results({exact_row(), other}), results({exact_row()})), Change::Kind::missing, "verified", "-");
  check_only(compare_runs(results({exact_row()}), results({exact_row(), other})), Change::Kind::added, "-", "verified");
}

TEST_CASE("rows of claims that this run was not asked for are not missing") {
  CHECK_FALSE(compare_runs(results({exact_row(), sampled_row(0.5)}), results({exact_row()}), {"T3.step1"}).changed());
}

TEST_CASE("a sampled value may move by the two budgets together, not by more") {
  // Budgets 0.01 each: 0.019 apart is within, 0.021 is beyond. Verdicts are the same.
  CHECK_FALSE(compare_runs(results({sampled_row(0.491)}), results({sampled_row(0.51)})).changed());
  Row far = sampled_row(0.5);
  far.comparison.headline.measured = 0.512;
  const BaselineReport report = compare_runs(results({sampled_row(0.491)}), results({far}));
  REQUIRE(report.changes.size() == 1);
  CHECK(report.changes[0].kind == Change::Kind::value);
}

TEST_CASE("the worst entry is compared too, where it is the same one and not the one shown") {
  Row before = sampled_row(0.5), now = before;
  before.comparison.worst.name = now.comparison.worst.name = "another entry";
  now.comparison.worst.measured += 1;
  const BaselineReport report = compare_runs(results({before}), results({now}));
  REQUIRE(report.changes.size() == 1);
  CHECK(contains(report.changes[0].row, "worst entry another entry"));
  now.comparison.worst.name = "a third";
  CHECK_FALSE(compare_runs(results({before}), results({now})).changed());
}

TEST_CASE("an exact value may not move at all, not even where the doubles agree") {
  Row now = exact_row();
  now.comparison.headline.exact = "1000000000000000000000001/24000000000000000000000000";
  check_only(compare_runs(results({exact_row()}), results({now})), Change::Kind::value, "1/24",
             "1000000000000000000000001/24000000000000000000000000");
}

TEST_CASE("a prediction that moved with the measurement is reported for the same seed") {
  const BaselineReport report = compare_runs(results({sampled_row(0.5)}), results({sampled_row(0.6, 0.01, 0.6)}));
  REQUIRE(report.changes.size() == 2);
  CHECK(report.changes[0].kind == Change::Kind::prediction);
  CHECK(report.changes[1].kind == Change::Kind::value);
}

TEST_CASE("another seed draws another instance: its difference from the prediction is compared, and it is counted") {
  const BaselineReport same = compare_runs(results({sampled_row(0.5)}, 1), results({sampled_row(0.601, 0.01, 0.6)}, 2));
  CHECK_FALSE(same.changed());
  CHECK(same.redrawn == 1);
  Row off = sampled_row(0.6, 0.01, 0.6);
  off.comparison.headline.difference = 0.03;
  CHECK(compare_runs(results({sampled_row(0.5)}, 1), results({off}, 2)).changed());
}

TEST_CASE("another seed does not excuse a value whose prediction is the same") {
  Row moved = sampled_row(0.5);
  moved.comparison.headline.measured = 0.53;
  CHECK(compare_runs(results({sampled_row(0.5)}, 1), results({moved}, 2)).changed());
}

TEST_CASE("a value that is no longer computed is a change, NaN that stays NaN is none") {
  Row gone = not_applicable("T3.step1", "", "N=4 T=6 avoid", "x");
  gone.verdict = Verdict::verified;
  gone.grade = Grade::exact;
  check_only(compare_runs(results({exact_row()}), results({gone})), Change::Kind::value, "computed", "not computed");
  const Row nan = sampled_row(std::nan(""));
  CHECK_FALSE(compare_runs(results({nan}), results({nan})).changed());
  CHECK(compare_runs(results({nan}), results({sampled_row(0.5)})).changed());
}

TEST_CASE("a baseline without a row in common is an input error that names the file") {
  try {
    compare_runs(results({sampled_row(0.5)}), results({exact_row()}));
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(contains(error.what(), "--baseline: got 'old.json' (no row in common with this run)"));
  }
}

TEST_CASE("the description lists every change and sums up") {
  const BaselineReport report =
      compare_runs(results({exact_row(), sampled_row(0.5)}), results({exact_row(), exact_row(Rational(1, 24), "N=9 T=9")}));
  const std::string text = describe(report, "old.json");
  CHECK(contains(text, "row missing  L2.variance norm: N=64 T=32 d=128"));
  CHECK(contains(text, "row new      T3.step1: N=9 T=9"));
  CHECK(contains(text, "baseline old.json: 1 rows compared, 2 changes\n"));
  CHECK(describe(compare_runs(results({exact_row()}), results({exact_row()})), "old.json") ==
        "baseline old.json: 1 rows compared, 0 changes\n");
}
