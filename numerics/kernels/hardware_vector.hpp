// The widest vector of floats that the machine has one instruction for. For the kernels' own sources only, as lanes.hpp.
#pragma once

namespace popgrad::kernels {

#if defined(__AVX512F__)
inline constexpr int width = 16;
#elif defined(__AVX__)
inline constexpr int width = 8;
#else
inline constexpr int width = 4;
#endif

using Vector = float __attribute__((vector_size(4 * width)));
// Read and written in place: through memcpy g++ 12 takes a detour over the stack that costs a product a factor of four.
using UnalignedVector = float __attribute__((vector_size(4 * width), aligned(4), may_alias));
inline const UnalignedVector& at(const float* p) { return *reinterpret_cast<const UnalignedVector*>(p); }
inline UnalignedVector& at(float* p) { return *reinterpret_cast<UnalignedVector*>(p); }

}  // namespace popgrad::kernels
