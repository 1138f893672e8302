#include "reports/step_sizes.hpp"

#include "core/errors.hpp"
#include "figure_files.hpp"
#include "tests/catch.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

FigureSeries grid(std::size_t firsts, std::size_t seconds, std::size_t thirds) {
  FigureSeries series{"step_sizes", "T3.end", "N=4 T=6 avoid", {step_sizes_columns(), {}}};
  for (std::size_t i = 0; i < firsts; ++i)
    for (std::size_t j = 0; j < seconds; ++j)
      for (std::size_t k = 0; k < thirds; ++k) {
        const double accuracy = j >= 1 && k >= 1 ? 0.9 : 0.2;
        series.table.rows.push_back({1.0 + static_cast<double>(i), 10.0 + static_cast<double>(j), 0.5 + static_cast<double>(k), 0.1, 0.2,
                                     accuracy, 0.001, 0.5});
      }
  return series;
}

}  // namespace

TEST_CASE("step sizes: a panel for each first size, the outline runs around the cells above the level, the data stand beside it") {
  const ScratchFolder scratch;
  const FigureSpec figure = step_sizes_figure("step_sizes", grid(5, 3, 4));
  // Four edges of a 2 x 3 rectangle are 10 unit edges, in each of 5 panels.
  CHECK(count(figure.script, "set arrow from") == 50);
  CHECK(count(figure.script, "with image") == 5);
  const FigureOutcome outcome = draw(figure, scratch.path);
  CHECK(outcome.reason == "");
  CHECK(count(slurp(scratch.path / "step_sizes.tsv"), "\n") == 61);
  const std::string text = xml_text(slurp(scratch.path / "step_sizes.svg")).value_or("not well-formed");
  for (const char* word : {"N=4 T=6 avoid", "accuracy after three steps", "outlined: above 0.5", "units"})
    CHECK(text.find(word) != std::string::npos);
}

TEST_CASE("step sizes: rows that are no grid, or accuracies beyond 1, are refused") {
  FigureSeries series = grid(2, 2, 2);
  series.table.rows.pop_back();
  CHECK_THROWS_AS(step_sizes_figure("x", series), InputError);
  series = grid(2, 2, 2);
  std::swap(series.table.rows[1], series.table.rows[2]);
  CHECK_THROWS_AS(step_sizes_figure("x", series), InputError);
  series = grid(1, 2, 2);
  series.table.rows[0][5] = 1.5;
  CHECK_THROWS_AS(step_sizes_figure("x", series), InputError);
  CHECK_THROWS_AS(step_sizes_figure("x", grid(13, 1, 1)), InputError);
  series = grid(1, 1, 1);
  series.table.columns[2] = "other";
  CHECK_THROWS_AS(step_sizes_figure("x", series), InputError);
}
