#include "numerics/recall.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/catch.hpp"
#include "core/philox.hpp"

using namespace popgrad;

namespace {

Probe one_row(const std::vector<double>& scores, double roundoff, int target) {
  const std::vector<double> blur(scores.size(), roundoff);
  RecallSums sums;
  sums.add(scores.data(), blur.data(), static_cast<int>(scores.size()), target);
  return sums.finish();
}

Matrix random_matrix(int rows, int columns, std::uint64_t sample) {
  Stream stream(51, Purpose::test, sample);
  Matrix result(rows, columns);
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = stream.normal();
  return result;
}

}  // namespace

TEST_CASE("scores within their roundoff are a tie, beyond it they are not") {
  CHECK(one_row({1, 1 + 1e-10, 0}, 1e-10, 0).value == 0.5);
  CHECK(one_row({1, 1 + 1e-10, 0}, 1e-10, 0).ties == 1);
  CHECK(one_row({1, 1 + 1e-10, 0}, 1e-10, 1).value == 0.5);  // nor does the larger one win alone
  CHECK(one_row({1, 1 + 1e-10, 0}, 1e-11, 0).value == 0);
  CHECK(one_row({1, 1 + 1e-10, 0}, 1e-11, 0).ties == 0);  // a tie that leaves the target out is none
  CHECK(one_row({1, 1 + 1e-10, 0}, 1e-11, 1).value == 1);
  CHECK(one_row({2, 2, 1}, 0, 2).ties == 0);
}

TEST_CASE("a score that is not a number counts against the target") {
  const double nan = std::nan("");
  CHECK(one_row({1, nan}, 0, 0).value == 0);
  CHECK(one_row({nan, 1}, 0, 0).value == 0);
  CHECK(one_row({nan}, 0, 0).value == 0);
}

TEST_CASE("a lone candidate is recalled without a margin") {
  const Probe probe = one_row({-3}, 0, 0);
  CHECK(probe.value == 1);
  CHECK(probe.chance == 1);
  CHECK(probe.margin == 0);
}

TEST_CASE("sums merge row by row") {
  const std::vector<double> scores = {3, 1, 1}, blur(3, 0.0);
  RecallSums a, b;
  a.add(scores.data(), blur.data(), 3, 0);
  b.add(scores.data(), blur.data(), 2, 1);
  a += b;
  const Probe probe = a.finish();
  CHECK(probe.rows == 2);
  CHECK(probe.value == 0.5);
  CHECK(probe.chance == Approx((1.0 / 3 + 1.0 / 2) / 2));
  CHECK(probe.margin == (2.0 - 2.0) / 2);
}

TEST_CASE("the roundoff of a product contains its error and is not absurdly wide") {
  const Matrix A = random_matrix(7, 30, 1), B = random_matrix(30, 40, 2), C = random_matrix(40, 5, 3);
  BoundedProduct product(A);
  product.times(B).times(C);
  const Matrix bound = product.roundoff();
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Long exact = A.cast<long double>() * B.cast<long double>() * C.cast<long double>();
  double widest = 0;
  for (Eigen::Index i = 0; i < 7; ++i)
    for (Eigen::Index j = 0; j < 5; ++j) {
      CHECK(std::abs(static_cast<double>(product.value(i, j) - exact(i, j))) <= bound(i, j));
      widest = std::max(widest, bound(i, j));
    }
  // 70 u times sum |a||b||c|, about 1200 (2/pi)^(3/2) = 610.
  CHECK(widest < 2 * 70 * 0x1p-53 * 610);
  CHECK(BoundedProduct(A).roundoff() == Matrix::Zero(7, 30));
}
