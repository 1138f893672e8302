#include "app/table.hpp"

#include <sstream>

#include "app/results.hpp"
#include "tests/catch.hpp"
#include "sample_rows.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

int widest(const std::string& text) {
  int width = 0;
  for (const std::string& line : lines_of(text)) width = std::max(width, display_width(line));
  return width;
}

const TableStyle plain{140, false};

}  // namespace

TEST_CASE("an exact row shows its rational for both numbers and a budget of exactly zero") {
  const TableCells c = cells(exact_row());
  CHECK(c.predicted == "1/24");
  CHECK(c.measured == "1/24");
  CHECK(c.budget == "0 (exact)");
  CHECK(c.grade == "exact");
  CHECK(c.controls == "4/4");
  CHECK(c.claim == "T3.step1");
}

TEST_CASE("a rational of more than 18 characters is shown with 6 digits") {
  // Fractions of primes, so that they are in lowest terms: 18 and 19 characters.
  const Rational at_limit("100000007/10000019"), beyond("1000000007/10000019");
  CHECK(shown_measured(exact_entry("x", at_limit, at_limit)) == "100000007/10000019");
  CHECK(shown_measured(exact_entry("x", beyond, beyond)) == "99.9998");
  CHECK(shown_measured(entry("x", 1.0 / 3, 1.0 / 3, {})) == "0.333333");
}

TEST_CASE("a wrong exact prediction is not shown as the measured rational") {
  const Entry e = exact_entry("x", Rational(1, 25), Rational(1, 24));
  CHECK(shown_predicted(e) == "0.04");
  CHECK(shown_measured(e) == "1/24");
}

TEST_CASE("the budget shows every part that is not zero and no other") {
  CHECK(shown_budget(entry("x", 1, 1, {1e-16, 0, 3e-3}), Grade::sampled) == "r 1e-16 + s 0.003");
  CHECK(shown_budget(entry("x", 1, 1, {0, 2e-9, 0}), Grade::enumerated) == "t 2e-09");
  CHECK(shown_budget(entry("x", 1, 1, {}), Grade::enumerated) == "0");
}

TEST_CASE("a refuted row shows its worst entry, not the headline") {
  const Entry large = exact_entry("large", Rational(5), Rational(5), true);
  const Entry wrong = exact_entry("wrong", Rational(1), Rational(2), true);
  const Row row = judge("T3.step1", "", "N=4", Grade::exact, {large, wrong}, 0.1, sample_controls(wrong));
  CHECK(row.verdict == Verdict::refuted);
  CHECK(cells(row).predicted == "1");
  CHECK(cells(row).measured == "2");
}

TEST_CASE("a row in which nothing was compared shows no number") {
  const TableCells c = cells(not_applicable("L1", "", "N=4", "uniform labels"));
  CHECK(c.predicted == "-");
  CHECK(c.measured == "-");
  CHECK(c.budget == "-");
  CHECK(c.controls == "-");
  CHECK(c.verdict == "not applicable");
}

TEST_CASE("a surviving control is counted as not refuted") {
  CHECK(cells(sampled_row(0.5, 0.01, 0.5, 1)).controls == "3/4");
}

TEST_CASE("in the wide table every column starts at the same place in every line") {
  const std::vector<std::string> lines = lines_of(verdict_table({exact_row(), sampled_row(0.5)}, plain));
  REQUIRE(lines.size() == 4);
  for (const char* header : {"configuration", "predicted", "measured", "error budget", "grade", "verdict"}) {
    const std::size_t column = lines[0].find(header);
    INFO(header);
    REQUIRE(column != std::string::npos);
    for (const std::size_t i : {2U, 3U}) {
      CHECK(lines[i][column] != ' ');
      CHECK(lines[i][column - 1] == ' ');
    }
  }
  CHECK(lines[2].size() == lines[3].size());  // the time column ends flush
}

TEST_CASE("the table never exceeds the width, from 140 columns down to 40, and loses no cell") {
  Row row = sampled_row(0.5);
  row.configuration = "N=64 T=32 d=128 background=avoid query=last blocks=isolated handoff=actual order=leading";
  for (int width = 140; width >= 40; --width) {
    const std::string table = verdict_table({row, exact_row()}, {width, false});
    INFO(width << "\n" << table);
    REQUIRE(widest(table) <= width);
    for (const char* word :
         {"L2.variance", "norm", "d=128", "order=leading", "1e-12", "sampled", "verified", "4/4", "1.5 s", "1/24"})
      REQUIRE(contains(table, word));
  }
}

TEST_CASE("colour paints verdicts only when asked and changes nothing else") {
  const std::vector<Row> rows = {exact_row(), exact_row(Rational(1, 25)), sampled_row(0.5, 0.2)};
  const std::string bare = verdict_table(rows, plain);
  std::string painted = verdict_table(rows, {140, true});
  CHECK_FALSE(contains(bare, "\033"));
  CHECK(contains(painted, "\033[32mverified"));
  CHECK(contains(painted, "\033[31mrefuted"));
  CHECK(contains(painted, "\033[33mundecided"));
  for (std::size_t at = painted.find('\033'); at != std::string::npos; at = painted.find('\033'))
    painted.erase(at, painted.find('m', at) - at + 1);
  CHECK(painted == bare);
}

TEST_CASE("rows that are not verified say why and what to do next, verified ones say nothing") {
  CHECK(reasons({exact_row(), sampled_row(0.5)}, plain).empty());
  const std::string text = reasons({exact_row(Rational(1, 25)), sampled_row(0.5, 0.2)}, plain);
  CHECK(contains(text, "1 of 1 entries outside the budget"));
  CHECK(contains(text, "L2.variance norm  N=64 T=32 d=128: undecided"));
  CHECK(contains(text, "exceeds the smallest effect that matters, 0.05"));
  CHECK(contains(text, "next: raise verify.work"));
}

TEST_CASE("the summary counts claims, rows, verdicts and refuted controls") {
  CHECK(summary({exact_row(), exact_row(Rational(1, 24), "N=5 T=6"), sampled_row(0.5, 0.01, 0.5, 1)}) ==
        "2 claims, 3 rows: 2 verified, 1 undecided; 11 of 12 negative controls refuted; 2.0 s\n");
  CHECK(summary({exact_row(Rational(1, 25))}) ==
        "1 claim, 1 row: 0 verified, 1 refuted; 4 of 4 negative controls refuted; 0.2 s\n");
}

TEST_CASE("the legend explains every column and every exit code of verify") {
  const std::string legend = table_legend();
  for (const char* word : {"claim", "configuration", "predicted", "measured", "error budget", "grade", "verdict", "controls",
                           "time", "nats", "1 a row is refuted", "4 something differs", "3 a row is undecided"})
    CHECK(contains(legend, word));
  for (const char* grade : {"certified", "observed"}) CHECK_FALSE(contains(legend, grade));  // no claim has them
  CHECK(widest(legend) <= 125);
}
