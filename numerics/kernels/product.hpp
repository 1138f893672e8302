// Small matrix products in float, without packing: what the sequences of a batch need is in the cache already.
#pragma once
#include <cstddef>

namespace popgrad::kernels {

// Element (r, k) of the left factor is at data[r * row + k * term]: a row-major matrix has term = 1, its transpose row = 1.
struct Left {
  const float* data;
  std::ptrdiff_t row, term;
};

enum class Into { set, add };

// C (+)= A B for r < m, c < n, terms k = 0, 1, ..., terms - 1 added one after the other to what was there, each by a fused
// multiply-add where the machine has one: an entry's bits depend on neither its place nor the width of vectors.
// n is a multiple of 16; B is terms x n, C is m x n, both row-major with the given strides.
void product(int m, int n, int terms, const Left& a, const float* b, std::ptrdiff_t stride_b, float* c, std::ptrdiff_t stride_c,
             Into into);

// to[c][r] = from[r][c], whole squares of 16 x 16: rows up to padded(rows) and columns up to padded(columns) of `from` are read,
// as many columns and rows of `to` written. Both row-major with the given strides.
void transpose(int rows, int columns, const float* from, std::ptrdiff_t stride_from, float* to, std::ptrdiff_t stride_to);

}  // namespace popgrad::kernels
