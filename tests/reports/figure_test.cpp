#include "reports/figure.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

FigureSpec line_figure() {
  return {"line",
          {{"x", "y"}, {{1, 2}, {2, 4}, {3, 6}}},
          "set xlabel 'time (s)'\nplot DATA using 1:2 skip 1 with points pt 7\n"};
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a figure is a TSV, an SVG and a PDF, in a folder with a blank and a quote in its name") {
  const ScratchFolder scratch;
  const FigureOutcome outcome = draw(line_figure(), scratch.path / "it's here");
  CHECK(outcome.reason == "");
  REQUIRE(outcome.drawn);
  CHECK(scratch.files() == Names{"it's here/line.pdf", "it's here/line.svg", "it's here/line.tsv"});
  CHECK(outcome.files.size() == 3);
  for (const auto& file : outcome.files) CHECK(std::filesystem::exists(file));
  CHECK(slurp(scratch.path / "it's here/line.tsv") == "x\ty\n1\t2\n2\t4\n3\t6\n");

  const std::string svg = slurp(scratch.path / "it's here/line.svg");
  const auto text = xml_text(svg);
  REQUIRE(text);
  CHECK(text->find("time (s)") != std::string::npos);
  CHECK(circles(svg) == 3 + 1);  // every point of the data and the one in the key; no header line
  const std::string pdf = slurp(scratch.path / "it's here/line.pdf");
  CHECK(pdf.substr(0, 5) == "%PDF-");
  CHECK(pdf.find("%%EOF") != std::string::npos);
}

TEST_CASE("without gnuplot there is the data and the reason, and no drawing of other data is left") {
  const ScratchFolder scratch;
  scratch.write("line.svg", "old");
  scratch.write("line.pdf", "old");
  const PathVariable path("");
  const FigureOutcome outcome = draw(line_figure(), scratch.path);
  CHECK_FALSE(outcome.drawn);
  CHECK(outcome.reason == "gnuplot is not on PATH (Debian package gnuplot-nox)");
  CHECK(scratch.files() == Names{"line.tsv"});
  CHECK(outcome.files == std::vector<std::filesystem::path>{scratch.path / "line.tsv"});
}

TEST_CASE("a gnuplot that fails, or claims to succeed and draws nothing, leaves the data and nothing half-written") {
  const ScratchFolder tools, scratch;
  const PathVariable path(tools.path.string());
  SECTION("fails") {
    fake_gnuplot(tools, "exit 1");
    CHECK(draw(line_figure(), scratch.path).reason == "gnuplot: exit status 1");
  }
  SECTION("draws nothing") {
    fake_gnuplot(tools, "exit 0");
    CHECK(draw(line_figure(), scratch.path).reason == "gnuplot: exit status 0, but no drawing");
  }
  SECTION("draws an empty file") {
    // cat and sed by their full names: PATH has nothing but this script.
    fake_gnuplot(tools, "file=$(/bin/sed -n \"s/^set output '\\(.*\\)'$/\\1/p\"); : > \"$file\"");
    CHECK(draw(line_figure(), scratch.path).reason == "gnuplot: exit status 0, but no drawing");
  }
  CHECK(scratch.files() == Names{"line.tsv"});
}

TEST_CASE("an error in the drawing commands is an outcome, not an exception") {
  const ScratchFolder scratch;
  FigureSpec figure = line_figure();
  figure.script = "plot DATA using 1:2 with bananas\n";
  const FigureOutcome outcome = draw(figure, scratch.path);
  CHECK_FALSE(outcome.drawn);
  CHECK(outcome.reason.find("gnuplot: ") == 0);
  CHECK(scratch.files() == Names{"line.tsv"});
}

TEST_CASE("a figure's name cannot leave its folder") {
  const ScratchFolder scratch;
  FigureSpec figure = line_figure();
  for (const char* name : {"", "../up", "a/b", ".hidden", "a b", "a'b"}) {
    figure.name = name;
    CHECK_THROWS_AS(draw(figure, scratch.path), HypothesisError);
  }
  CHECK(scratch.files().empty());
}

TEST_CASE("a TSV that cannot be written is the environment's failure") {
  const ScratchFolder scratch;
  const auto file = scratch.write("file", "");
  CHECK_THROWS_AS(draw(line_figure(), file / "folder"), EnvironmentError);
}
