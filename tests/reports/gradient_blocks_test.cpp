#include "reports/gradient_blocks.hpp"

#include "core/errors.hpp"
#include "reports/report.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

const std::vector<std::string> columns = {"panel", "row block (0 U, 1 E, 2 P, 3 R, 4 S)", "row index", "column block", "column index", "entry", "N"};

// Panel 1: one output against two tokens and one position. Panel 2: W_K1 of one token and two positions, its entries `scale` smaller.
FigureSeries panels(double scale) {
  FigureSeries series{"gradient_blocks", "", "N=2", {columns, {}}};
  series.table.rows = {{1, 0, 1, 1, 1, 0.5, 2}, {1, 0, 1, 1, 2, -0.5, 2}, {1, 0, 1, 2, 1, 0, 2}};
  for (const auto& [row, i] : {std::pair(1, 1), std::pair(2, 1), std::pair(2, 2)})
    for (const auto& [column, j] : {std::pair(1, 1), std::pair(2, 1), std::pair(2, 2)})
      series.table.rows.push_back({2, 1.0 * row, 1.0 * i, 1.0 * column, 1.0 * j, scale * (i - j), 2});
  return series;
}

FigureSpec figure_of(const FigureSeries& series) { return gradient_blocks_figure("g", series, "Title", {"first", "second"}); }

bool refused(const FigureSeries& series) {
  try {
    figure_of(series);
  } catch (const InputError&) {
    return true;
  }
  return false;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("gradient blocks: one scale for all panels, linear where the smaller panel still shows a decade") {
  const std::string script = figure_of(panels(0.02)).script;
  CHECK(count(script, "set cbrange") == 1);
  CHECK(has(script, "abs(x) / 0.001)"));
  CHECK(has(figure_of(panels(0.2)).script, "abs(x) / 0.01)"));
}

TEST_CASE("gradient blocks: the memory blocks (U,E) and (P,P) are outlined, both panels drawn") {
  const ScratchFolder scratch;
  const FigureSpec figure = figure_of(panels(0.02));
  CHECK(has(figure.script, "from -0.5,-0.5 to 1.5,-0.5 nohead front linewidth 2.5"));
  CHECK(has(figure.script, "from 2.5,0.5 to 2.5,2.5 nohead front linewidth 2.5"));
  CHECK(draw(figure, scratch.path / "f").reason == "");
  const auto text = xml_text(slurp(scratch.path / "f/g.svg"));
  REQUIRE(text);
  for (const char* part : {"Title", "N=2", "first", "second", "outlined: the memory"}) CHECK(has(*text, part));
}

TEST_CASE("gradient blocks: rows in any order are the same figure") {
  FigureSeries shuffled = panels(0.02);
  std::swap(shuffled.table.rows[0], shuffled.table.rows[7]);
  std::swap(shuffled.table.rows[1], shuffled.table.rows[4]);
  CHECK(figure_of(shuffled).script == figure_of(panels(0.02)).script);
}

TEST_CASE("gradient blocks: fewer tokens drawn than there are is said") {
  FigureSeries many = panels(0.02);
  for (auto& row : many.table.rows) row[6] = 65;
  CHECK(has(figure_of(many).script, "2 of 65 tokens drawn"));
  CHECK_FALSE(has(figure_of(panels(0.02)).script, "tokens drawn"));
}

TEST_CASE("gradient blocks: what is no whole matrix is refused") {
  CHECK_FALSE(refused(panels(0.02)));
  FigureSeries missing = panels(0.02);
  missing.table.rows.pop_back();
  CHECK(refused(missing));
  FigureSeries twice = panels(0.02);
  twice.table.rows[4] = twice.table.rows[3];
  CHECK(refused(twice));
  FigureSeries third = panels(0.02);
  for (auto& row : third.table.rows) row[0] += 1;
  CHECK(refused(third));
  FigureSeries no_index = panels(0.02);
  no_index.table.rows[2][4] = 0.5;
  CHECK(refused(no_index));
}

TEST_CASE("gradient blocks: series of one configuration are one figure, of two configurations two") {
  const ScratchFolder scratch;
  const std::string names = R"x(["panel","row block (0 U, 1 E, 2 P, 3 R, 4 S)","row index","column block","column index","entry","N"])x";
  const auto row = [&](const std::string& configuration, const std::string& rows) {
    return R"({"claim": "C", "configuration": ")" + configuration + R"(", "series": [{"figure": "gradient_blocks", "columns": )" + names +
           R"(, "rows": [)" + rows + "]}]}";
  };
  const std::string first = "[1,0,1,1,1,0.5,2]", second = "[2,1,1,1,1,0.1,2]";
  const auto file = [&](const std::string& rows) {
    return scratch.write("results.json", R"({"format": "popgrad-results", "version": 1, "rows": [)" + rows + "]}");
  };
  CHECK(draw_results(file(row("a", first) + "," + row("a", second)), scratch.path / "f").size() == 1);
  CHECK(draw_results(file(row("a", first) + "," + row("b", second)), scratch.path / "f").size() == 2);
}
