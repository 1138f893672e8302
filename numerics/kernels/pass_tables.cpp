#include "numerics/kernels/pass_tables.hpp"

namespace popgrad::kernels {

void PassSums::clear() {
  dscores1.clear();
  dwk2.clear();
  dout.clear();
  dread.clear();
  loss = 0;
}

}  // namespace popgrad::kernels
