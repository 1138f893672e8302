#include <utility>

#include "numerics/kernels/hardware_vector.hpp"
#include "numerics/kernels/padding.hpp"
#include "numerics/kernels/product.hpp"

namespace popgrad::kernels {
namespace {

// Exchanges the off-diagonal quarters of every 2h x 2h square of a tile: rows a and b = a + h of it.
template <int h, int... l>
[[gnu::always_inline]] inline void exchange(Vector& a, Vector& b, std::integer_sequence<int, l...>) {
  const Vector low = __builtin_shufflevector(a, b, ((l & h) == 0 ? l : width + l - h)...);
  b = __builtin_shufflevector(a, b, ((l & h) == 0 ? l + h : width + l)...);
  a = low;
}

template <int h>
[[gnu::always_inline]] inline void stage(Vector (&row)[width]) {
#pragma GCC unroll 16
  for (int i = 0; i < width; ++i)
    if ((i & h) == 0) exchange<h>(row[i], row[i + h], std::make_integer_sequence<int, width>());
}

// A width x width square, in log2(width) stages.
[[gnu::always_inline]] inline void square(const float* from, std::ptrdiff_t stride_from, float* to, std::ptrdiff_t stride_to) {
  Vector row[width];
#pragma GCC unroll 16
  for (int i = 0; i < width; ++i) row[i] = at(from + i * stride_from);
  stage<1>(row);
  stage<2>(row);
  if constexpr (width > 4) stage<4>(row);
  if constexpr (width > 8) stage<8>(row);
#pragma GCC unroll 16
  for (int i = 0; i < width; ++i) at(to + i * stride_to) = row[i];
}

}  // namespace

void transpose(int rows, int columns, const float* from, std::ptrdiff_t stride_from, float* to, std::ptrdiff_t stride_to) {
  for (int r = 0; r < padded(rows); r += width)
    for (int c = 0; c < padded(columns); c += width)
      square(from + r * stride_from + c, stride_from, to + c * stride_to + r, stride_to);
}

}  // namespace popgrad::kernels
