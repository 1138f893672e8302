// Sixteen floats at a time, in GCC's and clang's vector notation: one instruction with AVX-512, two or four without.
// For the kernels' own sources only: other files lack the flags that make it safe.
#pragma once
#include "numerics/kernels/padding.hpp"

namespace popgrad::kernels {

using Lanes = float __attribute__((vector_size(64)));
using IntLanes = int __attribute__((vector_size(64)));

// A vector returned by value has no fixed convention without AVX-512: these must be inlined.
// Through a type of its own: g++ 12 takes memcpy over the stack.
using UnalignedLanes = float __attribute__((vector_size(64), aligned(4), may_alias));
[[gnu::always_inline]] inline Lanes load(const float* p) { return *reinterpret_cast<const UnalignedLanes*>(p); }
[[gnu::always_inline]] inline void store(float* p, Lanes v) { *reinterpret_cast<UnalignedLanes*>(p) = v; }
[[gnu::always_inline]] inline Lanes all(float x) { return x - Lanes{}; }  // x - 0 is x, also for -0
[[gnu::always_inline]] inline Lanes larger(Lanes a, Lanes b) { return a > b ? a : b; }

// Pairwise, in an order that does not depend on the width of the hardware's vectors.
inline float sum(Lanes v) {
  float x[lanes];
  store(x, v);
  for (int h = lanes / 2; h > 0; h /= 2)
    for (int i = 0; i < h; ++i) x[i] += x[i + h];
  return x[0];
}

inline float largest(Lanes v) {
  float x[lanes];
  store(x, v);
  for (int h = lanes / 2; h > 0; h /= 2)
    for (int i = 0; i < h; ++i) x[i] = x[i] > x[i + h] ? x[i] : x[i + h];
  return x[0];
}

}  // namespace popgrad::kernels
