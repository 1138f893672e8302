#include "check/power_law_series.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("rows of all sizes in order, gaps where a curve has none, fits beyond the data only as wide as the fits differ") {
  const std::vector<double> x = {4, 5, 6, 8};
  std::vector<double> y;
  for (const double at : x) y.push_back(2 * at * at * std::exp(1 / (at * at)));
  const std::vector<double> none(4, 0.0);
  const Series s = power_law_series("emergence_T", "T", {{"a", x, y, none, fit_power_law(x, y, none)}, {"b", {6, 7}, {1, 2}, {0.1, 0.2}, {}}});
  REQUIRE(s.columns.size() == 11);
  CHECK(s.columns[3] == "a fit");
  REQUIRE(s.rows.size() == 5 + 8);
  for (std::size_t i = 1; i < s.rows.size(); ++i) CHECK(s.rows[i][0] > s.rows[i - 1][0]);
  CHECK(s.rows.back()[0] == Approx(16));
  CHECK(std::isnan(s.rows[3][1]));  // a has no size 7
  CHECK(s.rows[3][6] == 2);
  CHECK(std::isnan(s.rows[0][6]));
  for (const auto& row : s.rows) {
    CHECK(row[4] <= row[3]);
    CHECK(row[3] <= row[5]);
    CHECK(std::isnan(row[8]));  // b has no fit
  }
  CHECK(s.rows.back()[5] / s.rows.back()[4] > s.rows[2][5] / s.rows[2][4]);
  CHECK_THROWS_AS(power_law_series("f", "T", {}), HypothesisError);
  CHECK_THROWS_AS(power_law_series("f", "T", {{"a", {1, 2}, {1}, {1}, {}}}), HypothesisError);
}
