// A matrix of floats for the kernels: rows padded with zeros to whole vectors, aligned to cache lines.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "numerics/kernels/padding.hpp"

namespace popgrad::kernels {

class FloatMatrix {
 public:
  FloatMatrix() = default;
  // rows x columns zeros. The distance of two rows is an odd number of cache lines: powers of two, the usual sizes, would put
  // a column of a product's panel into a few sets of the cache.
  FloatMatrix(int rows, int columns) : rows_(rows), columns_(columns), stride_((padded(columns) / lanes | 1) * lanes) {
    const std::size_t bytes = size() * sizeof(float);
    data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes > 0 ? bytes : 64)));
    if (!data_) throw std::bad_alloc();
    clear();
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }  // without the padding
  std::ptrdiff_t stride() const { return stride_; }
  std::size_t size() const { return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(stride_); }
  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  float* row(int r) { return data_.get() + r * stride_; }
  const float* row(int r) const { return data_.get() + r * stride_; }
  void clear() { std::memset(data_.get(), 0, size() * sizeof(float)); }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  int rows_ = 0, columns_ = 0;
  std::ptrdiff_t stride_ = 0;
  std::unique_ptr<float[], Free> data_;
};

}  // namespace popgrad::kernels
