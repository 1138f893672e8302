#include "reports/variance_saved.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

FigureSeries saved(double both) {
  return {"variance_saved", "MC.variance", "N=4", {{"stage", "alpha = beta", "naive", "stratified", "control variate", "both"},
                                                   {{3, 1, 9, 8, 7, 6}, {2, 10, 4, 3, 2, 1}, {2, 1, 4, 3, 0.2, both}}}};
}

}  // namespace

TEST_CASE("variance: a panel a stage, every point of the four ways drawn, rows sorted by stage and size") {
  const ScratchFolder scratch;
  CHECK(draw(variance_saved_figure("v", saved(0.1)), scratch.path / "f").reason == "");
  const std::string svg = slurp(scratch.path / "f/v.svg");
  const auto text = xml_text(svg);
  REQUIRE(text);
  for (const char* part : {"gradient of step 2, W_K2", "gradient of step 3, W_K1", "naive", "stratified", "control variate", "both", "log scale"})
    CHECK(text->find(part) != std::string::npos);
  CHECK(circles(svg) == 3 + 1);  // `both`, and the key
  CHECK(slurp(scratch.path / "f/v.tsv").find("\n2\t1\t4\t3\t0.2\t0.1\n2\t10") != std::string::npos);
}

TEST_CASE("variance: a number that has no logarithm is refused") {
  CHECK_THROWS_AS(variance_saved_figure("v", saved(0)), InputError);
  CHECK_THROWS_AS(variance_saved_figure("v", saved(-1)), InputError);
}
