#include "reports/margin_map.hpp"

#include "core/errors.hpp"
#include "reports/report.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

FigureSeries margins(double first, double second) {
  return {"step2_margin", "T3.step2", "", {{"N", "T", "any: ideal"}, {{2, 4, first}, {2, 5, second}, {3, 4, 0.5}, {3, 5, 1}}}};
}

FigureSpec map_of(const FigureSeries& series) { return margin_map_figure("m", series, "Margins", "units"); }

bool refused(const FigureSeries& series) {
  try {
    map_of(series);
  } catch (const InputError&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("margin map: one cross for each negative cell, one ring for each tie, drawn in both formats") {
  const ScratchFolder scratch;
  const FigureOutcome outcome = draw(map_of(margins(-0.1, 0)), scratch.path / "f");
  CHECK(outcome.reason == "");
  const std::string svg = slurp(scratch.path / "f/m.svg");
  const auto text = xml_text(svg);
  REQUIRE(text);
  for (const std::string part : {"Margins", "units", "any: ideal", "sequence length T", "vocabulary size N"}) {
    CAPTURE(part);
    CHECK(text->find(part) != std::string::npos);
  }
  CHECK(count(svg, "'#gpPt1' transform") == 1);
  CHECK(count(svg, "'#gpPt5' transform") == 1);
}

TEST_CASE("margin map: no mark where every margin is positive") {
  const ScratchFolder scratch;
  CHECK(draw(map_of(margins(0.1, 1e-9)), scratch.path / "f").reason == "");
  const std::string svg = slurp(scratch.path / "f/m.svg");
  CHECK(count(svg, "'#gpPt1' transform") + count(svg, "'#gpPt5' transform") == 0);
}

TEST_CASE("margin map: a table that is no map is refused") {
  CHECK_FALSE(refused(margins(1, 1)));
  FigureSeries none = margins(1, 1);
  none.table.columns = {"N", "T"};
  for (auto& row : none.table.rows) row.pop_back();
  CHECK(refused(none));
  FigureSeries zero = margins(0, 0);
  zero.table.rows.resize(2);
  CHECK(refused(zero));
  FigureSeries size = margins(1, 1);
  size.table.rows[0][0] = 0;
  CHECK(refused(size));
}
