#include "numerics/gate_decay.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "numerics/finite_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("the W_K1 gradient summed in embedding coordinates has the norm of the full backward pass") {
  for (const Background background : {Background::any, Background::avoid}) {
    for (const Query query : {Query::last, Query::any}) {
      const MinimalTask task{3, 5, background, query, {}};
      const FiniteModel model = gate_model(task, 11, 5, 0, true);
      const double full = population_gradient(model, task).wk1.squaredNorm();
      CHECK(full > 1e-6);
      CHECK(first_key_gradient_squared(model, task) == Approx(full).epsilon(1e-11));
    }
  }
}

TEST_CASE("the shortcut refuses a model for which it does not hold") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  FiniteModel model = gate_model(task, 6, 1, 0, false);
  model.trained.wo2(2, 3) = 1e-3;
  CHECK_THROWS_AS(first_key_gradient_squared(model, task), HypothesisError);
}

TEST_CASE("with W_O2 = 0 the full backward pass gives W_K2 no gradient, and with one entry of it some") {
  const MinimalTask task{3, 4, Background::avoid, Query::last, {}};
  FiniteModel model = gate_model(task, 8, 2, 1, true);
  CHECK(population_gradient(model, task).wk2.cwiseAbs().maxCoeff() == 0);
  model.trained.wo2(1, 2) = 0.5;
  CHECK(population_gradient(model, task).wk2.cwiseAbs().maxCoeff() > 1e-6);
}

TEST_CASE("the mean square tends to C / d") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  const double constant = leading_constant(task);
  CHECK(constant > 0);
  // The next order is O(1/d) of it, with a coefficient near 20 (d = 32 against 64): allow twice that, and five standard errors.
  const int d = 256;
  const Moments squared = sample_first_key_gradient(task, d, 120, 9);
  CHECK(std::abs(d * squared.mean / constant - 1) < 40.0 / d + 5 * d * squared.standard_error() / constant);
  CHECK(d * squared.standard_error() / constant < 0.2);
}

TEST_CASE("a smaller remapping gives a smaller gradient, by its square") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  const int d = 64;
  const double plain = sample_first_key_gradient(task, d, 20, 4).mean;
  const double shrunk = sample_first_key_gradient(task, d, 20, 4, 0.5).mean;
  CHECK(shrunk / plain < 2.0 / d);
  CHECK(shrunk / plain > 0.5 / d);
}
