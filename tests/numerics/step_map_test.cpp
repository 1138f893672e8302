#include "numerics/step_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("step map: every cell is the construction at its sizes, the best and the successes are counted right") {
  const MinimalTask task{5, 6, Background::avoid, Query::last, {}};
  for (const Handoff handoff : {Handoff::actual, Handoff::ideal}) {
    const Construction construction(task, handoff, Blocks::isolated);
    const StepAxes axes{{0.5, 2}, {1, 4, 9}, {3, -2}, construction.unit_sizes()};
    std::size_t calls = 0;
    const StepMap map = map_steps(construction, axes, [&](std::size_t done, std::size_t all) {
      CHECK(done == ++calls);
      CHECK(all == 6);
    });
    CHECK(calls == 6);
    REQUIRE(map.after_one.size() == 2);
    REQUIRE(map.after_two.size() == 6);
    REQUIRE(map.after_three.size() == 12);
    double top = 0;
    std::size_t above = 0;
    for (std::size_t number = 0; number < 12; ++number) {
      const StepMap::Cell at = map.cell(number);
      const auto answers = construction.answers(map.sizes(at));
      CHECK(answers[1].accuracy == map.after_one[at.i].accuracy);
      CHECK(answers[2].accuracy == map.after_two[at.i * 3 + at.j].accuracy);
      CHECK(answers[3].accuracy == map.after_three[number].accuracy);
      top = std::max(top, answers[3].accuracy);
      above += answers[3].accuracy > 0.6 ? 1 : 0;
    }
    const StepMap::Cell best = map.best();
    CHECK(map.after_three[(best.i * 3 + best.j) * 2 + best.k].accuracy == top);
    CHECK(map.above(0.6) == above);
    CHECK((above > 0 && above < 12));
  }
}

TEST_CASE("step map: geometric axes end where they should, empty ones are refused") {
  const std::vector<double> values = geometric(0.1, 1000, 9);
  CHECK(values.size() == 9);
  CHECK(values.front() == 0.1);
  CHECK(values.back() == 1000);
  for (std::size_t i = 1; i < 9; ++i) CHECK(values[i] / values[i - 1] == Approx(std::sqrt(10.0)));
  CHECK(geometric(2, 2, 1) == std::vector<double>{2});
  CHECK_THROWS_AS(geometric(1, 2, 1), HypothesisError);
  CHECK_THROWS_AS(geometric(0, 2, 3), HypothesisError);
  const Construction construction({5, 6, Background::avoid, Query::last, {}}, Handoff::ideal, Blocks::full);
  CHECK_THROWS_AS(map_steps(construction, {{1}, {}, {1}, {1, 1, 1}}), HypothesisError);
}
