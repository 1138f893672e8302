// The parts of claim L2.onestep; internal to theory/claims.
#pragma once
#include "numerics/onestep_sampler.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

Row onestep_ideal(int N, int T);  // orthonormal embeddings, exact

struct OnestepPoint {
  int d = 0;
  std::int64_t draws = 0;
  OnestepStatistics measured;
};
Row onestep_logit_moments(const ClaimContext& context, int N, int T, const std::vector<OnestepPoint>& points);
Row onestep_accuracy_curve(const ClaimContext& context, int N, int T, const std::vector<OnestepPoint>& points);

}  // namespace popgrad
