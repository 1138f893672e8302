// One draw of the logits of L2.onestep in units of eta/N, straight from the definition: L = U U^T B with k = 0.
#pragma once
#include <cmath>
#include <vector>

#include "core/philox.hpp"

namespace popgrad_test {

inline std::vector<double> draw_logits(int N, int d, std::uint64_t seed, std::uint64_t sample, double position_scale = 1) {
  popgrad::Stream stream(seed, popgrad::Purpose::test, sample);
  const auto n = static_cast<std::size_t>(N), dim = static_cast<std::size_t>(d);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  std::vector<double> tok(n * dim), out(n * dim), input(dim), centred(n), gathered(dim), logits(n);
  for (double& x : tok) x = scale * stream.normal();
  for (double& x : out) x = scale * stream.normal();
  for (std::size_t a = 0; a < dim; ++a) input[a] = tok[a] + position_scale * scale * stream.normal();
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < dim; ++a) centred[i] += tok[i * dim + a] * input[a];
    mean += centred[i] / N;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < dim; ++a) gathered[a] += out[i * dim + a] * (centred[i] - mean);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t a = 0; a < dim; ++a) logits[j] += out[j * dim + a] * gathered[a];
  return logits;
}

}  // namespace popgrad_test
