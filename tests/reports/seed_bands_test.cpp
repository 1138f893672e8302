#include "reports/seed_bands.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

std::vector<std::string> columns(std::vector<std::string> first, const std::vector<std::string>& quantities) {
  for (const std::string& quantity : quantities)
    for (const char* part : {"", ", low", ", high"}) first.push_back(quantity + part);
  return first;
}

FigureSeries third(const std::vector<double>& releases) {
  FigureSeries series{"figure3", "EMP.gate", "T=32", {columns({"W_O2 frozen until", "step"}, {"accuracy", "R(W_O2)", "R(W_K2)", "R(W_K1)"}), {}}};
  for (const double release : releases)
    for (const double step : {0.0, 10.0, 20.0}) {
      std::vector<double> row = {release, step};
      row.resize(14, 0.5);
      series.table.rows.push_back(row);
    }
  return series;
}

FigureSeries fourth(const std::vector<std::vector<double>>& settings) {
  FigureSeries series{"figure4", "EMP.K", "T=32",
                      {columns({"random triggers", "bigram outputs", "K", "offset", "step"},
                               {"accuracy", "accuracy, uniform outputs", "accuracy, bigram outputs", "KL to the bigram law"}), {}}};
  for (const std::vector<double>& setting : settings)
    for (const double step : {0.0, 10.0, 20.0}) {
      std::vector<double> row = setting;
      row.push_back(step);
      row.resize(17, 0.5);
      series.table.rows.push_back(row);
    }
  return series;
}

bool has(const FigureSpec& figure, const std::string& part) { return figure.script.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("figure 3: a panel for each release, the release marked, curves that two rows carry drawn once") {
  const FigureSpec one = figure3("f", third({0})), two = figure3("f", third({0, 200, 0}));
  CHECK_FALSE(has(one, "set arrow 1"));
  CHECK(has(two, "frozen at its random start until update 200"));
  CHECK(has(two, "set arrow 1 from 200,0 to 200,1.03"));
  CHECK(two.table.rows.size() == 6);
}

TEST_CASE("figure 4: settings named by what differs, test laws crossed at the most triggers, no panel without a curve") {
  const FigureSpec figure = figure4("f", fourth({{0, 0, 5, 0}, {0, 0, 1, 0}, {0, 0, 5, 5}, {1, 0, 5, 0}, {0, 1, 5, 0}, {0, 0, 5, 0}}));
  for (const char* part : {"'K=5 fixed'", "'K=1 fixed'", "'K=5 fixed, offset 5'", "'K=5 random'", "'uniform → bigram'", "'bigram → uniform'"}) {
    INFO(part);
    CHECK(has(figure, part));
  }
  CHECK(figure.table.rows.size() == 15);
  CHECK_FALSE(has(figure4("f", fourth({{0, 1, 5, 0}})), "KL of W_F"));
}

TEST_CASE("figures 3 and 4: missing columns and no row are input errors") {
  CHECK_THROWS_AS(figure3("f", fourth({{0, 0, 5, 0}})), InputError);
  CHECK_THROWS_AS(figure3("f", third({})), InputError);
  CHECK_THROWS_AS(figure4("f", third({0})), InputError);
  CHECK_THROWS_AS(figure4("f", fourth({})), InputError);
}
