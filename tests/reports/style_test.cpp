#include "reports/style.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("tic_step gives the smallest of 1, 2, 5 times a power of ten with few enough steps") {
  struct Case {
    double range;
    int most;
    double step;
  };
  for (const Case& c : {Case{10, 10, 1}, Case{10, 9, 2}, Case{10, 5, 2}, Case{10, 4, 5}, Case{10, 1, 10},
                        Case{0.048, 5, 0.01}, Case{3, 1, 5}, Case{1e-7, 5, 2e-8}, Case{700, 6, 200}}) {
    CAPTURE(c.range, c.most);
    CHECK(std::abs(tic_step(c.range, c.most) - c.step) <= 1e-12 * c.step);
  }
  CHECK_THROWS_AS(tic_step(0, 5), HypothesisError);
  CHECK_THROWS_AS(tic_step(NAN, 5), HypothesisError);
  CHECK_THROWS_AS(tic_step(1, 0), HypothesisError);
}
