// L2.variance, measured: the mean squared distance of a batch gradient from the population gradient.
#pragma once
#include <cstdint>

#include "core/moments.hpp"
#include "numerics/finite_law.hpp"

namespace popgrad {

// E ||G_B - G||_F^2 over every B-tuple of atoms, weighted by the product of their probabilities: atoms^B terms, no formula
// for a variance. B >= 1, at most 10^6 tuples. For S = RunningError and Rational (then W = 0). repeated: a batch of B copies of
// one sample instead of B independent ones.
template <class S>
S batch_variance(const LawInstance<S>& instance, int B, bool repeated = false);

// ||G_B - G||_F^2 over `batches` sampled batches of the orthonormal one-step example at W = 0, B samples each; G is exact.
Moments sample_batch_variance(int N, int T, int B, std::int64_t batches, std::uint64_t seed);

}  // namespace popgrad
