// exp in float, sixteen at a time.
#pragma once
#include "numerics/kernels/lanes.hpp"

namespace popgrad::kernels {

// |exponential(x) - e^x| <= 2^-22 e^x for -87 <= x <= 0, two units in the last place (tested over every hundredth float of the
// range); below -87, where e^x is about 1e-38, it is e^-87. exponential(0) is 1. With x = n log 2 + r, |r| <= log(2)/2:
// 2^n times Taylor's polynomial of degree 7 in r, which leaves out less than r^8/40320 = 6e-9. A number that is not one stays so.
[[gnu::always_inline]] inline Lanes exponential(Lanes x) {
  x = x < -87.0f ? all(-87.0f) : x;
  const Lanes round = all(12582912.0f);  // 1.5 * 2^23: adding it leaves an integer in the low bits
  const Lanes shifted = x * 1.44269504f + round;
  const Lanes n = shifted - round;
  // log 2 in two parts, the first with few bits, so that n times it is exact.
  const Lanes r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Lanes p = r * (1.0f / 5040) + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const IntLanes power = (__builtin_convertvector(n, IntLanes) + 127) << 23;
  Lanes scale;
  __builtin_memcpy(&scale, &power, sizeof scale);
  return p * scale;
}

}  // namespace popgrad::kernels
