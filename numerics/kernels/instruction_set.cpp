#include "numerics/kernels/instruction_set.hpp"

namespace popgrad::kernels {

const char* instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2 with FMA";
#elif defined(__AVX__)
  return "AVX";
#else
  return "portable";
#endif
}

}  // namespace popgrad::kernels
