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
      CHECK(first_key_gradient(model, task).squared == Approx(full).epsilon(1e-11));
    }
  }
}

TEST_CASE("the shortcut refuses a model for which it does not hold") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  FiniteModel model = gate_model(task, 6, 1, 0, false);
  model.trained.wo2(2, 3) = 1e-3;
  CHECK_THROWS_AS(first_key_gradient(model, task), HypothesisError);
}

TEST_CASE("with W_O2 = 0 the full backward pass gives W_K2 no gradient, and with one entry of it some") {
  const MinimalTask task{3, 4, Background::avoid, Query::last, {}};
  FiniteModel model = gate_model(task, 8, 2, 1, true);
  CHECK(population_gradient(model, task).wk2.cwiseAbs().maxCoeff() == 0);
  model.trained.wo2(1, 2) = 0.5;
  CHECK(population_gradient(model, task).wk2.cwiseAbs().maxCoeff() > 1e-6);
}

TEST_CASE("the leading quadratic form has the mean C / d") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  const int d = 5;
  Moments leading;
  for (std::uint64_t draw = 0; draw < 4000; ++draw)
    leading.add(first_key_gradient(gate_model(task, d, 9, draw, false), task).leading);
  // Five standard errors: one false alarm in 1.7 million seeds.
  CHECK(std::abs(leading.mean - leading_constant(task) / d) < 5 * leading.standard_error());
  CHECK(leading.standard_error() < 0.1 * leading.mean);
}
