// logits = W_U W x, for the losses of Lemmas 1 and 2. Internal to numerics.
#pragma once
#include <vector>

#include "numerics/scalar.hpp"

namespace popgrad {

// w_u: N x d_out, w: d_out x d_in, x: d_in numbers, all row-major. D is S or a power series over S (W moving along a
// direction).
template <class S, class D>
std::vector<D> bilinear_logits(const std::vector<S>& w_u, const std::vector<D>& w, const S* x, int N, int d_out, int d_in) {
  std::vector<D> image(static_cast<std::size_t>(d_out), D(0));
  for (int a = 0; a < d_out; ++a)
    for (int b = 0; b < d_in; ++b)
      add_product(image[static_cast<std::size_t>(a)], w[static_cast<std::size_t>(a * d_in + b)], D(x[b]));
  std::vector<D> logits(static_cast<std::size_t>(N), D(0));
  for (int k = 0; k < N; ++k)
    for (int a = 0; a < d_out; ++a)
      add_product(logits[static_cast<std::size_t>(k)], D(w_u[static_cast<std::size_t>(k * d_out + a)]),
                  image[static_cast<std::size_t>(a)]);
  return logits;
}

// W + h D as a series in h.
template <class S>
std::vector<PowerSeries<S, 1>> moved_along(const std::vector<S>& w, const std::vector<S>& direction) {
  require(w.size() == direction.size(), "moved_along", "direction", std::to_string(w.size()) + " entries",
          std::to_string(direction.size()));
  std::vector<PowerSeries<S, 1>> moving(w.begin(), w.end());
  for (std::size_t i = 0; i < w.size(); ++i) moving[i][1] = direction[i];
  return moving;
}

}  // namespace popgrad
