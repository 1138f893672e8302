// Parts of the population gradient that can be left out on purpose, to find out what a trajectory is made of.
#pragma once

namespace popgrad {

struct Paths {
  // How -dL/dW_K1 reaches the loss through x1_t: as a value (the R block of W_O), as a key of layer 2, as its query.
  bool value = true, key = true, query = true;
  bool guess = true;  // false: p_hat stays 1/N in the residual e_y - p_hat of every gradient
  bool all() const { return value && key && query && guess; }
};

}  // namespace popgrad
