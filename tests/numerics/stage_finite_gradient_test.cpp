// The gradient summed in coordinates of the atoms against the full backward pass, which never uses them.
#include "numerics/stage_finite_gradient.hpp"

#include <omp.h>

#include "core/errors.hpp"
#include "numerics/finite_population.hpp"
#include "numerics/initialization.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// All maps Gaussian, the trained ones large enough for uneven attention.
FiniteModel random_model(const MinimalTask& task, int d, double size) {
  ModelOptions options;
  options.N = task.N;
  options.T = task.T;
  options.d = d;
  options.score_scale = 0.7;
  options.wk1 = options.wk2 = options.wo2 = {Init::gaussian, size};
  return make_model(options, 11);
}

double difference(const FiniteModel& model, const MinimalTask& task, Map map) {
  const Matrix full = -population_gradient(model, task).at(map);
  return (finite_descent(model, task, map) - full).cwiseAbs().maxCoeff() / full.cwiseAbs().maxCoeff();
}

// At most 1e4 roundings a term and 1e3 sequences, relative to the largest entry; cancellation in p_hat - e_y costs a few
// digits.
constexpr double tolerance = 1e4 * 1e3 * 0x1p-53;

}  // namespace

TEST_CASE(
    "the finite gradient in coordinates of atoms is that of the full backward pass, for each map, background and query") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const Map map : {Map::wo2, Map::wk2, Map::wk1}) {
        const MinimalTask task = MinimalTask{3, 5, background, query, {}};
        INFO(task.describe() << " " << name(map));
        CHECK(difference(random_model(task, 9, 1), task, map) < tolerance);     // fewer dimensions than atoms
        CHECK(difference(random_model(task, 40, 0.3), task, map) < tolerance);  // more
      }
}

TEST_CASE("the comparison of finite gradients notices another model and another background") {
  const MinimalTask task = MinimalTask{3, 5, Background::any, Query::last, {}},
                    other = MinimalTask{3, 5, Background::avoid, Query::last, {}};
  const FiniteModel model = random_model(task, 12, 1);
  for (const Map map : {Map::wo2, Map::wk2, Map::wk1}) {
    const Matrix full = -population_gradient(model, task).at(map);
    const double largest = full.cwiseAbs().maxCoeff();
    CHECK((finite_descent(model, other, map) - full).cwiseAbs().maxCoeff() > 1e3 * tolerance * largest);
    FiniteModel wrong = model;
    wrong.score_scale *= 1.01;
    CHECK((finite_descent(wrong, task, map) - full).cwiseAbs().maxCoeff() > 1e3 * tolerance * largest);
  }
}

TEST_CASE("the finite gradient has the same bits on any number of threads, and refuses models that do not fit") {
  const MinimalTask task = MinimalTask{3, 6, Background::any, Query::last, {}};
  FiniteModel model = random_model(task, 8, 1);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Matrix one = finite_descent(model, task, Map::wk1);
  omp_set_num_threads(3);
  const Matrix three = finite_descent(model, task, Map::wk1);
  omp_set_num_threads(before);
  CHECK(one == three);
  CHECK_THROWS_AS(finite_descent(model, MinimalTask{4, 6, Background::any, Query::last, {}}, Map::wk1), HypothesisError);
  CHECK_THROWS_AS(finite_descent(model, task, Map::wf), HypothesisError);
  model.feed_forward = true;
  CHECK_THROWS_AS(finite_descent(model, task, Map::wk1), HypothesisError);
}
