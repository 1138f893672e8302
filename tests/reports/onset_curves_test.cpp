#include "reports/onset_curves.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

FigureSeries series_of(std::vector<std::string> columns, std::vector<std::vector<double>> rows) {
  return {"onset_full", "T3.onset.full", "N=3 T=5", {std::move(columns), std::move(rows)}};
}

}  // namespace

TEST_CASE("onset figure: a curve and its power for each quantity, magnitudes, the range of the curves alone") {
  const FigureSpec figure = onset_curves_figure("o", series_of({"t", "(U,E)", "(U,E), t^1", "signal", "signal, t^3"},
                                                               {{1, 0.1, 0.1, -1e-4, -1e-4}, {10, 1, 1, NAN, -0.1}}));
  const auto has = [&](const std::string& part) { return figure.script.find(part) != std::string::npos; };
  CHECK(has("'(U,E) ~ t^1'"));
  CHECK(has("'signal ~ t^3'"));
  CHECK(has("abs($4)"));
  CHECK(has("set yrange [3.33333e-05:3]"));
  CHECK(has("full blocks"));
}

TEST_CASE("onset figure: columns that do not pair, no row, a time of zero and nothing but zeros are input errors") {
  CHECK_THROWS_AS(onset_curves_figure("o", series_of({"t", "a", "b, t^1"}, {{1, 1, 1}})), InputError);
  CHECK_THROWS_AS(onset_curves_figure("o", series_of({"t", "a", "a, t^1"}, {})), InputError);
  CHECK_THROWS_AS(onset_curves_figure("o", series_of({"t", "a", "a, t^1"}, {{0, 1, 1}})), InputError);
  CHECK_THROWS_AS(onset_curves_figure("o", series_of({"t", "a", "a, t^1"}, {{1, 0, 1}})), InputError);
  CHECK_THROWS_AS(onset_curves_figure("o", series_of({}, {})), InputError);
}
