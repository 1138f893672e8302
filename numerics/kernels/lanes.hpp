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

// combine(v_i, v_{i + h}) for h = 8, 4, 2, 1: an order that does not depend on the width of the hardware's vectors. Halves in
// registers; through memory it took as long as the exponentials of a row.
template <class Combine>
[[gnu::always_inline]] inline float folded(Lanes v, Combine combine) {
  using Half = float __attribute__((vector_size(32)));
  using Quarter = float __attribute__((vector_size(16)));
  const Half half = combine(Half(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)),
                            Half(__builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)));
  const Quarter quarter = combine(Quarter(__builtin_shufflevector(half, half, 0, 1, 2, 3)),
                                  Quarter(__builtin_shufflevector(half, half, 4, 5, 6, 7)));
  const Quarter two = combine(quarter, Quarter(__builtin_shufflevector(quarter, quarter, 2, 3, 0, 1)));
  return combine(two, Quarter(__builtin_shufflevector(two, two, 1, 0, 3, 2)))[0];
}

[[gnu::always_inline]] inline float sum(Lanes v) {
  return folded(v, [](auto a, auto b) __attribute__((always_inline)) { return a + b; });
}
[[gnu::always_inline]] inline float largest(Lanes v) {
  return folded(v, [](auto a, auto b) __attribute__((always_inline)) { return a > b ? a : b; });
}

}  // namespace popgrad::kernels
