#include "reports/figure_table.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("the TSV has one header line and the shortest decimals that read back to the same double") {
  const FigureTable table{{"step (updates)", "loss"}, {{0, 0.1}, {10, 1.0 / 3}, {20, NAN}, {30, INFINITY}, {40, -1e-300}}};
  CHECK(to_tsv(table) ==
        "step (updates)\tloss\n"
        "0\t0.1\n10\t0.3333333333333333\n20\tNaN\n30\tInf\n40\t-1e-300\n");
  // 0.1 + 0.2 needs 17 digits; a printer with 15 would give 0.3.
  CHECK(to_tsv({{"x"}, {{0.1 + 0.2}}}) == "x\n0.30000000000000004\n");
}

TEST_CASE("a table that would not parse again is refused") {
  CHECK_THROWS_AS(to_tsv({{"a", "b"}, {{1}}}), HypothesisError);
  CHECK_THROWS_AS(to_tsv({{"a\tb"}, {}}), HypothesisError);
  CHECK_THROWS_AS(to_tsv({{"a\nb"}, {}}), HypothesisError);
}

TEST_CASE("column() finds by name, range() sees finite values only") {
  const FigureTable table{{"a", "b", "c"}, {{1, NAN, NAN}, {-2, INFINITY, NAN}, {0, 5, NAN}}};
  CHECK(table.column("b") == 1);
  CHECK_THROWS_AS(table.column("B"), HypothesisError);
  CHECK(table.range(0) == std::pair(-2.0, 1.0));
  CHECK(table.range(1) == std::pair(5.0, 5.0));
  CHECK(table.range(2) == std::pair(0.0, 0.0));
}
