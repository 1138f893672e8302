#include "reports/lattice_accuracy.hpp"

#include "core/errors.hpp"
#include "reports/report.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

const std::string columns =
    R"(["ideal hand-off", "full blocks", "any background", "any query", "chance", "step 1", "step 2", "step 3", "standard error", "ideal head"])";

std::string row(const std::string& switches, const std::string& numbers) {
  return R"({"claim": "T3.lattice", "configuration": ")" + switches +
         R"(", "series": [{"figure": "lattice_accuracy", "columns": )" + columns + R"(, "rows": [)" + numbers + "]}]}";
}

std::string results(const std::string& rows) {
  return R"({"format": "popgrad-results", "version": 1, "rows": [)" + rows + "]}";
}

}  // namespace

TEST_CASE("lattice: its rows are one figure, in their order, with a heading for hand-off and blocks") {
  const ScratchFolder scratch;
  const auto file = scratch.write(
      "results.json",
      results(row("ideal, isolated, N=4 T=6 avoid query=last", "[1, 0, 0, 0, 0.25, 0.5, 0.4, 0.9, 0, 0.85]") + "," +
              row("actual, full, N=4 T=6 any query=any", "[0, 1, 1, 1, 0.25, 0.4, 0.5, 0.3, 0.01, 0.6]")));
  const auto outcomes = draw_results(file, scratch.path / "f");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].reason == "");
  const std::string tsv = slurp(scratch.path / "f/lattice_accuracy.tsv");
  CHECK(tsv.find("1\t0\t0\t0\t0.25\t0.5\t0.4\t0.9\t0\t0.85\n0\t1\t1\t1\t") != std::string::npos);
  const std::string text = xml_text(slurp(scratch.path / "f/lattice_accuracy.svg")).value_or("not well-formed");
  for (const char* word : {"Best accuracy after each step: N=4 T=6", "ideal hand-off", "isolated blocks", "actual hand-off",
                           "full blocks", "avoid, last", "any, any", "chance", "ideal head", "step 1", "step 2", "step 3"}) {
    INFO(word);
    CHECK(text.find(word) != std::string::npos);
  }
}

TEST_CASE("lattice: lattices of two sizes are two figures") {
  const ScratchFolder scratch;
  const auto file = scratch.write(
      "results.json", results(row("ideal, full, N=4 T=6 any query=any", "[1, 1, 1, 1, 0.25, 0.5, 0.4, 0.9, 0, 0.85]") + "," +
                              row("ideal, full, N=5 T=7 any query=any", "[1, 1, 1, 1, 0.2, 0.5, 0.4, 0.9, 0, 0.85]")));
  CHECK(draw_results(file, scratch.path / "f").size() == 2);
}

TEST_CASE("lattice: a series without rows or columns is refused") {
  FigureSeries series;
  series.figure = "lattice_accuracy";
  CHECK_THROWS_AS(lattice_accuracy_figure("a", series), InputError);
  series.table.columns = {"ideal hand-off", "full blocks", "any background", "any query",      "chance",
                          "step 1",         "step 2",      "step 3",         "standard error", "ideal head"};
  CHECK_THROWS_AS(lattice_accuracy_figure("a", series), InputError);
}
