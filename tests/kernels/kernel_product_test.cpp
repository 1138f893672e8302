// Products and transposes of the float kernels, bit by bit.
#include "numerics/kernels/product.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/philox.hpp"
#include "numerics/kernels/float_matrix.hpp"
#include "numerics/kernels/instruction_set.hpp"
#include "tests/catch.hpp"

using namespace popgrad;
using namespace popgrad::kernels;

namespace {

FloatMatrix random_matrix(int rows, int columns, std::uint64_t number) {
  Stream stream(5, Purpose::test, number);
  FloatMatrix m(rows, columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < padded(columns); ++c) m.row(r)[c] = static_cast<float>(stream.normal());
  return m;
}

// One term more, rounded as the kernels' machine does it.
float plus(float sum, float a, float b) {
  return std::string(instruction_set()) == "portable" || std::string(instruction_set()) == "AVX" ? sum + a * b : std::fma(a, b, sum);
}

}  // namespace

TEST_CASE("a product's entries are sums of terms in order, whatever the shape", "[kernel_product]") {
  std::uint64_t number = 0;
  for (const int m : {1, 2, 5, 6, 7, 13, 16})
    for (const int n : {16, 32, 48, 64, 80, 96, 128})
      for (const int terms : {0, 1, 3, 31}) {
        const bool turned = number % 2 == 1;
        const FloatMatrix a = random_matrix(turned ? terms : m, turned ? m : terms, ++number);
        const FloatMatrix b = random_matrix(terms, n, ++number + 1000);
        const FloatMatrix before = random_matrix(m, n, number + 2000);
        for (const Into into : {Into::set, Into::add}) {
          FloatMatrix c = random_matrix(m, n, number + 2000);
          product(m, n, terms, turned ? Left{a.data(), 1, a.stride()} : Left{a.data(), a.stride(), 1}, b.data(), b.stride(),
                  c.data(), c.stride(), into);
          int different = 0;
          for (int r = 0; r < m; ++r)
            for (int j = 0; j < n; ++j) {
              float expected = into == Into::add ? before.row(r)[j] : 0;
              for (int k = 0; k < terms; ++k) expected = plus(expected, turned ? a.row(k)[r] : a.row(r)[k], b.row(k)[j]);
              different += expected == c.row(r)[j] ? 0 : 1;
            }
          INFO("m = " << m << ", n = " << n << ", terms = " << terms << ", left factor turned: " << turned);
          CHECK(different == 0);
        }
      }
}

TEST_CASE("a product writes nothing beyond its columns and rows", "[kernel_product]") {
  const FloatMatrix a = random_matrix(9, 4, 1), b = random_matrix(4, 48, 2);
  FloatMatrix c(9, 48);
  for (int r = 0; r < 9; ++r)
    for (int j = 0; j < 48; ++j) c.row(r)[j] = 77;
  product(7, 32, 4, {a.data(), a.stride(), 1}, b.data(), b.stride(), c.data(), c.stride(), Into::set);
  for (int r = 0; r < 9; ++r)
    for (int j = 0; j < 48; ++j)
      if (r >= 7 || j >= 32) REQUIRE(c.row(r)[j] == 77);
  CHECK(c.row(6)[31] != 77);
}

TEST_CASE("a transpose turns whole squares", "[kernel_product]") {
  for (const int rows : {1, 16, 17, 40})
    for (const int columns : {5, 16, 33}) {
      const FloatMatrix from = random_matrix(padded(rows), columns, static_cast<std::uint64_t>(rows * 100 + columns));
      FloatMatrix to(padded(columns), rows);
      transpose(rows, columns, from.data(), from.stride(), to.data(), to.stride());
      int different = 0;
      for (int r = 0; r < padded(rows); ++r)
        for (int c = 0; c < padded(columns); ++c) different += to.row(c)[r] == from.row(r)[c] ? 0 : 1;
      INFO(rows << " x " << columns);
      CHECK(different == 0);
    }
}
