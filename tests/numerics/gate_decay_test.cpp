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

TEST_CASE("drawing Gram factors instead of d x d maps leaves the law alone, and another law is told apart") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  const int d = 8;
  Moments maps;
  for (std::uint64_t draw = 0; draw < 4000; ++draw)
    maps.add(std::log(first_key_gradient_squared(gate_model(task, d, 3, draw, false), task)));
  const auto sigmas = [&](const Moments& other) {
    return std::abs(other.mean - maps.mean) / std::hypot(other.standard_error(), maps.standard_error());
  };
  Moments factors, shrunk;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    factors.add(std::log(sample_first_key_gradient(task, d, 1, 100 + seed).mean));
    shrunk.add(std::log(sample_first_key_gradient(task, d, 1, 100 + seed, 0.05).mean));
  }
  CHECK(sigmas(factors) < 5);
  CHECK(std::abs(factors.variance() / maps.variance() - 1) < 0.25);  // 5 sigma of a ratio of two sample variances, kurtosis 6
  CHECK(sigmas(shrunk) > 5);
}

TEST_CASE("Gram factors need a dictionary of independent vectors") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  CHECK_THROWS_AS(sample_first_key_gradient(task, 6, 10, 1), HypothesisError);
  CHECK(sample_first_key_gradient(task, 7, 10, 1).mean > 0);
}

TEST_CASE("a smaller remapping gives a smaller gradient, by its square") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  const int d = 64;
  const double plain = sample_first_key_gradient(task, d, 20, 4).mean;
  const double shrunk = sample_first_key_gradient(task, d, 20, 4, 0.5).mean;
  CHECK(shrunk / plain < 2.0 / d);
  CHECK(shrunk / plain > 0.5 / d);
}
