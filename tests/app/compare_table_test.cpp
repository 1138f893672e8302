#include "app/compare_table.hpp"

#include "tests/catch.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

CompareRow row(const std::string& block, Statistic statistic, Verdict verdict, const std::string& reason = "") {
  CompareRow r;
  r.map = "wo2";
  r.block = block;
  r.statistic = statistic;
  r.predicted = 0.25;
  r.measured = 0.26;
  r.se = 0.02;
  r.z = 0.5;
  r.bound = 5.75;
  r.nonzero = 3;
  r.verdict = verdict;
  r.reason = reason;
  return r;
}

CompareReport sample() {
  CompareReport report;
  report.level = 1e-6;
  report.rows = {row("U,E", Statistic::projection, Verdict::undecided, "too few sequences"),
                 row("U,R", Statistic::squared_distance, Verdict::undecided, "too few sequences")};
  report.stream_rows = {row("U,E", Statistic::projection, Verdict::verified),
                        row("U,P", Statistic::exact_zero, Verdict::refuted)};
  report.controls = {{"sign", "-g_B", true, true, "wo2 U,E projection", 0}, {"factor", "1.1 g_B", false, false, "", 5000}};
  report.stream_rows[0].detectable = 0.37;
  report.own.resize(1);
  report.own[0].claim = "the run's own first update";
  report.own[0].configuration = "wo2";
  report.own[0].verdict = Verdict::verified;
  report.own[0].reason = "all equal";
  report.own[0].comparison.entries = 3;
  report.own[0].controls = {{"sign", "-g", {}}, {"doubled", "2 g", {}}};
  report.own[0].controls[0].comparison.verdict = Verdict::refuted;
  report.verdict = Verdict::refuted;
  report.reason = "1 of 2 refuted";
  report.next = "look at wo2 U,P";
  return report;
}

}  // namespace

TEST_CASE("the comparison shows each statistic with its z, bound and verdict") {
  const std::string text = compare_table(sample(), {140, false});
  CHECK(contains(text, "wo2  U,E    projection"));
  CHECK(contains(text, "0.25"));
  CHECK(contains(text, "+0.50"));
  CHECK(contains(text, "5.75"));
  CHECK(contains(text, "3 sequences not 0"));
  CHECK(contains(text, "refuted: 1 of 2 refuted\n  next: look at wo2 U,P\n"));
}

TEST_CASE("blocks that are undecided for one reason are named together, once") {
  const std::string text = compare_table(sample(), {140, false});
  CHECK(contains(text, "undecided, first minibatch: wo2 U,E projection, wo2 U,R squared distance: too few sequences\n"));
  CHECK(text.find("too few sequences") == text.rfind("too few sequences"));
}

TEST_CASE("of many undecided blocks the first three are named, with the sequences that would decide them all") {
  CompareReport report = sample();
  report.rows.clear();
  for (const char* block : {"U,E", "U,P", "U,R", "U,S", "E,E"}) {
    report.rows.push_back(row(block, Statistic::projection, Verdict::undecided, "too few"));
    report.rows.back().needed_sequences = static_cast<std::int64_t>(100 * report.rows.size());
  }
  CHECK(contains(
      compare_table(report, {140, false}),
      "wo2 U,E projection, wo2 U,P projection, wo2 U,R projection and 2 more: too few; about 500 sequences would decide\n"));
  report.rows.back().needed_sequences = 0;
  CHECK(contains(compare_table(report, {140, false}), "and 2 more: too few\n"));
}

TEST_CASE("controls say who refuted them, or how many sequences would") {
  const std::string text = compare_table(sample(), {140, false});
  CHECK(contains(text, "control: sign (-g_B): refuted by wo2 U,E projection [decisive]\n"));
  CHECK(contains(text, "control: factor (1.1 g_B): not refuted; about 5000 sequences would\n"));
}

TEST_CASE("what the run recorded is shown with its controls, those that survive apart") {
  const std::string text = compare_table(sample(), {140, false});
  CHECK(contains(text, "the run's own first update (wo2): verified: all equal\n"));
  CHECK(contains(text, "  controls refuted, as they must be: sign (-g)\n"));
  CHECK(contains(text, "  controls not refuted: doubled (2 g)\n"));
  CHECK(contains(text, "the first minibatch, as recorded ("));
  CompareReport none = sample();
  none.own[0] = undecided("the run's own first update", "", "", "not recorded", "train again");
  CHECK(contains(compare_table(none, {140, false}), "the run's own first update: undecided: not recorded\n"));
  CHECK(contains(compare_table(none, {140, false}), "the first minibatch, drawn again ("));
}

TEST_CASE("the smallest error that would be noticed is in its column, and the best and worst block are named") {
  const std::string text = compare_table(sample(), {400, false});
  CHECK(contains(text, "5.75   0.37     verified"));
  CHECK(contains(text, "factor 1 +- 0.37 in wo2 U,E (the most sensitive block)"));
  CompareReport report = sample();
  report.stream_rows.push_back(row("U,R", Statistic::projection, Verdict::verified));
  report.stream_rows.back().detectable = 0.8;
  report.stream_rows.push_back(row("U,S", Statistic::projection, Verdict::undecided));
  CHECK(contains(compare_table(report, {400, false}), "by 1 +- 0.8 in wo2 U,R (the least)"));
  CHECK(contains(compare_table(report, {400, false}), "in 1 undecided ones no error is known to be refuted"));
}
