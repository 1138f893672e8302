// L2.onestep: one population step from W = 0 is a classifier blind to position; perfect at d = infinity, and how good at finite d.
#include "theory/claims/all.hpp"
#include "theory/claims/l2_onestep_parts.hpp"
#include "theory/claims/support.hpp"

#include <algorithm>
#include <cmath>

namespace popgrad {
namespace {

std::vector<OnestepPoint> sample(const ClaimContext& context, int N, int T) {
  std::vector<OnestepPoint> points;
  std::vector<int> dimensions = {16, 24, 32, 48, 64, 96, 128, 192, 256};
  if (context.d) dimensions = {*context.d};
  for (const int d : dimensions) {
    context.progress("d = " + std::to_string(d));
    const auto draws = std::max<std::int64_t>(16, std::llround((d <= 64 ? 1500 : 500) * context.work));
    points.push_back({d, draws, sample_onestep(N, T, d, draws, context.seed)});
  }
  return points;
}

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  rows.push_back(timed([&] { 
    // Rationals, one forward pass an entry of W: the exact row stays small whatever the sampled rows use.
    return onestep_ideal(std::min(context.N.value_or(6), 10), std::min(context.T.value_or(4), 6));
  }));
  const int N = context.N.value_or(64), T = context.T.value_or(32);
  if (static_cast<double>(N) * N * T > 4e6 || N > 2048 || context.d.value_or(0) > 4096) {
    const std::string where = "N=" + std::to_string(N) + " T=" + std::to_string(T) + " d=" + std::to_string(context.d.value_or(0));
    for (const char* part : {"logit moments", "accuracy"})
      rows.push_back(undecided("L2.onestep", part, where, "more than the 4e6 logits a draw that are sampled", "choose smaller N, T or d"));
    return rows;
  }
  std::vector<OnestepPoint> points;
  // The draws serve both rows; their time is booked on the first.
  rows.push_back(timed([&] {
    points = sample(context, N, T);
    return onestep_logit_moments(context, N, T, points);
  }));
  rows.push_back(timed([&] { return onestep_accuracy_curve(context, N, T, points); }));
  return rows;
}

}  // namespace

Claim claim_l2_onestep() {
  return {"L2.onestep",
          "x = w_E(y) + p_t, y and t uniform and independent: one population step from W = 0 gives the logits (eta/N)(delta_jk - 1/N) with "
          "orthonormal embeddings, a perfect classifier blind to position. With Gaussian N(0, 1/d) embeddings the moments of right and wrong "
          "logits are given in closed form, and the accuracy by an integral over the exact joint law of the logits.",
          {"y uniform on N tokens, t uniform on T positions, independent", "W = 0 before the step",
           "embeddings orthonormal (first part) or i.i.d. Gaussian with entries N(0, 1/d)"},
          "the example after Lemma 2 of the paper; docs/theory.md, section 4",
          closed_forms("L2.onestep"),
          run,
          {"N", "T", "d"}};
}

}  // namespace popgrad
