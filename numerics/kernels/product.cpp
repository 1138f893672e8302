#include "numerics/kernels/product.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "numerics/kernels/hardware_vector.hpp"

namespace popgrad::kernels {
namespace {

// A tile's accumulators fill the registers but for a row of B and a number of A: 6 x 4 of 32 with AVX-512, 4 x 2 of 16 else.
constexpr int tile_rows = width == 16 ? 6 : 4;
constexpr int tile_vectors = width == 16 ? 4 : 2;

template <int rows, int vectors>
void tile(int terms, const Left& a, const float* b, std::ptrdiff_t stride_b, float* c, std::ptrdiff_t stride_c, Into into) {
  Vector sum[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] = Vector{};
      if (into == Into::add) sum[r][v] = at(c + r * stride_c + v * width);
    }
  const float* left = a.data;
  for (int k = 0; k < terms; ++k, left += a.term, b += stride_b) {
    Vector right[vectors];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) right[v] = at(b + v * width);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const float x = left[r * a.row];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[r][v] += x * right[v];
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) at(c + r * stride_c + v * width) = sum[r][v];
}

using Tile = void (*)(int, const Left&, const float*, std::ptrdiff_t, float*, std::ptrdiff_t, Into);

// kernels[v - 1][r - 1] is the tile of r rows and v vectors.
template <int vectors, int... row>
constexpr std::array<Tile, tile_rows> of_width(std::integer_sequence<int, row...>) {
  return {&tile<row + 1, vectors>...};
}
template <int... vectors>
constexpr std::array<std::array<Tile, tile_rows>, tile_vectors> of_all(std::integer_sequence<int, vectors...>) {
  return {of_width<vectors + 1>(std::make_integer_sequence<int, tile_rows>())...};
}
constexpr auto kernels = of_all(std::make_integer_sequence<int, tile_vectors>());

}  // namespace

void product(int m, int n, int terms, const Left& a, const float* b, std::ptrdiff_t stride_b, float* c, std::ptrdiff_t stride_c,
             Into into) {
  const int panels = (n / width + tile_vectors - 1) / tile_vectors;
  for (int panel = 0, column = 0; panel < panels; ++panel) {
    // As even as possible: five vectors are 3 + 2, not 4 + 1.
    const int vectors = (n - column) / width / (panels - panel) + ((n - column) / width % (panels - panel) != 0 ? 1 : 0);
    const auto& kernel = kernels[static_cast<std::size_t>(vectors - 1)];
    // The panel of B stays in the cache while all rows pass by it.
    for (int r = 0; r < m; r += tile_rows) {
      const int rows = std::min(tile_rows, m - r);
      kernel[static_cast<std::size_t>(rows - 1)](terms, {a.data + r * a.row, a.row, a.term}, b + column, stride_b,
                                                 c + r * stride_c + column, stride_c, into);
    }
    column += vectors * width;
  }
}

}  // namespace popgrad::kernels
