#include "numerics/onestep_sampler.hpp"

#include <omp.h>

#include <cmath>

#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("one step: the weights equal the sum over all inputs, written out input by input") {
  const int N = 5, T = 3, d = 7;
  const OnestepTables tables = draw_onestep_tables(N, T, d, 3, 0);
  Matrix direct = Matrix::Zero(d, d);
  for (int y = 0; y < N; ++y)
    for (int t = 0; t < T; ++t)
      for (int k = 0; k < N; ++k)
        direct -= (1.0 / N - (k == y ? 1.0 : 0.0)) / (N * T) * tables.out.row(k).transpose() * (tables.tok.row(y) + tables.pos.row(t));
  // Each entry is a sum of N^2 T terms below 1 in size.
  CHECK((onestep_weights(tables) - direct).cwiseAbs().maxCoeff() < 4 * N * N * T * 0x1.0p-53);
  CHECK(direct.cwiseAbs().maxCoeff() > 1e-3);
}

TEST_CASE("one step: orthonormal tables give logits delta - 1/N in units of eta/N and accuracy 1") {
  const int N = 4, T = 3, d = 12;
  OnestepTables tables{Matrix::Zero(N, d), Matrix::Zero(T, d), Matrix::Zero(N, d)};
  for (int k = 0; k < N; ++k) tables.tok(k, k) = tables.out(k, N + T + k) = 1;
  for (int t = 0; t < T; ++t) tables.pos(t, N + t) = 1;
  const OnestepStatistics s = onestep_of_one_draw(tables);
  CHECK(s.right.mean == Approx(0.75).epsilon(1e-14));
  CHECK(s.wrong.mean == Approx(-0.25).epsilon(1e-14));
  CHECK(s.wrong_squared.mean == Approx(0.0625).epsilon(1e-14));
  CHECK(s.right_times_wrong.mean == Approx(-0.1875).epsilon(1e-14));
  CHECK(s.accuracy.mean == 1);
}

TEST_CASE("one step: equal embeddings are a tie, and a tie is not correct") {
  OnestepTables tables{Matrix::Ones(3, 4), Matrix::Ones(2, 4), Matrix::Ones(3, 4)};
  CHECK(onestep_of_one_draw(tables).accuracy.mean == 0);
}

TEST_CASE("one step: same bits for 1, 2 and 7 threads") {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const OnestepStatistics one = sample_onestep(6, 3, 8, 50, 11);
  for (const int threads : {2, 7}) {
    omp_set_num_threads(threads);
    const OnestepStatistics many = sample_onestep(6, 3, 8, 50, 11);
    CHECK(many.accuracy.mean == one.accuracy.mean);
    CHECK(many.wrong_squared.squares == one.wrong_squared.squares);
  }
  omp_set_num_threads(before);
}
