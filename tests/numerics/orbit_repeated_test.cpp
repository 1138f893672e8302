#include "numerics/orbit_repeated.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

// At zero (U,E) of -dL/dW_O is E[(e_y - 1/N) counts/T]: with o = q the output stands at tau, tau + 1 and T, and with background `avoid` nowhere else.
TEST_CASE("o = q: its part of the first step is that of three outputs in a sequence, with probability 1/N") {
  const MinimalTask task{5, 7, Background::avoid, Query::last, {}};
  const InvariantMaps<double> part = repeated_output_descent(task, InvariantMaps<double>(5, 7), 1);
  // Mean of e_y(y) counts(y)/T minus the uniform guess, over N tokens: (1/N) (1/N) (3/T - (1/N) T/T).
  const double diag = (1.0 / 5) * (1.0 / 5) * (3.0 / 7 - 1.0 / 5);
  CHECK(std::abs(part.u(Block::E).diag - diag) < 1e-15);
  CHECK_THROWS_AS(repeated_output_descent(task, InvariantMaps<double>(5, 7), 4), HypothesisError);
}
