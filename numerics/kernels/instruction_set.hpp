// Which instructions the kernels were compiled for.
#pragma once

namespace popgrad::kernels {

// "AVX-512", "AVX2 with FMA", "AVX" or "portable". The first two give the same bits; without fused multiply-adds products are
// rounded once more.
const char* instruction_set();

}  // namespace popgrad::kernels
