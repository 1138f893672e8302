// Rows of the kernels' matrices hold whole vectors.
#pragma once

namespace popgrad::kernels {

inline constexpr int lanes = 16;
constexpr int padded(int n) { return (n + lanes - 1) / lanes * lanes; }

}  // namespace popgrad::kernels
