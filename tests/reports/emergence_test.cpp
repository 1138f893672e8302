#include "reports/emergence.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

FigureSeries series_of(std::vector<std::string> columns, std::vector<std::vector<double>> rows) {
  return {"emergence_T", "T3.emergence", "N=4", {std::move(columns), std::move(rows)}};
}

const std::vector<std::string> two = {"T", "all", "all error", "all fit", "all low", "all high",
                                      "b", "b error", "b fit", "b low", "b high"};

}  // namespace

TEST_CASE("emergence figure: curves, band of the first, tics at measured sizes alone") {
  const FigureSpec figure = emergence_figure("e", series_of(two, {{5, 60, 1, 60, 58, 61, NAN, NAN, NAN, NAN, NAN},
                                                                  {8, 150, 1, 151, 149, 152, 170, 2, NAN, NAN, NAN},
                                                                  {16, NAN, NAN, 400, 300, 500, NAN, NAN, NAN, NAN, NAN}}));
  const auto has = [&](const std::string& part) { return figure.script.find(part) != std::string::npos; };
  CHECK(has("set xtics (5, 8, 16)"));
  CHECK(has("filledcurves"));
  CHECK(has("'b'"));
  CHECK(has("sequence length T"));
  CHECK_FALSE(has("using 1:9 skip"));  // b has no fit
  CHECK(has("150*(x/8)**2"));
}

TEST_CASE("emergence figure: wrong columns, no row and sizes that are not positive are input errors") {
  CHECK_THROWS_AS(emergence_figure("e", series_of({"T", "a"}, {{1, 2}})), InputError);
  CHECK_THROWS_AS(emergence_figure("e", series_of(two, {})), InputError);
  std::vector<std::string> other = two;
  other[0] = "d";
  CHECK_THROWS_AS(emergence_figure("e", series_of(other, {std::vector<double>(11, 1)})), InputError);
  CHECK_THROWS_AS(emergence_figure("e", series_of(two, {std::vector<double>(11, 0)})), InputError);
  CHECK_THROWS_AS(emergence_figure("e", series_of({}, {})), InputError);
}
