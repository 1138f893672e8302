#include "numerics/kernels/causal_softmax.hpp"

#include <cmath>

#include "numerics/kernels/exponential.hpp"

namespace popgrad::kernels {
namespace {

// Lane l of the last vector of a row counts if l < the remainder.
[[gnu::always_inline]] inline IntLanes kept(int count) {
  const IntLanes number = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return number < count;
}

struct Normalizer {
  float top, sum;  // largest score, sum of exp(score - top)
};

Normalizer normalize(float* row, int seen) {
  const int last = padded(seen) - lanes;
  const IntLanes mask = kept(seen - last);
  Lanes top = mask ? load(row + last) : all(-3.4e38f);
  for (int s = 0; s < last; s += lanes) top = larger(top, load(row + s));
  const float best = largest(top);
  Lanes total = {};
  for (int s = 0; s < last; s += lanes) {
    const Lanes e = exponential(load(row + s) - best);
    store(row + s, e);
    total += e;
  }
  const Lanes e = mask ? exponential(load(row + last) - best) : Lanes{};
  store(row + last, e);
  total += e;
  const float weight = sum(total);
  const Lanes scale = all(1.0f / weight);
  for (int s = 0; s <= last; s += lanes) store(row + s, load(row + s) * scale);
  return {best, weight};
}

}  // namespace

void softmax(float* row, int seen) { normalize(row, seen); }

double softmax_loss(float* row, int count, int target) {
  const double score = row[target];
  const Normalizer n = normalize(row, count);
  return std::log(static_cast<double>(n.sum)) + (static_cast<double>(n.top) - score);
}

void softmax_gradient(const float* a, float* g, int seen) {
  Lanes total = {};
  for (int s = 0; s < seen; s += lanes) total += load(a + s) * load(g + s);
  const Lanes mean = all(sum(total));
  for (int s = 0; s < seen; s += lanes) store(g + s, load(a + s) * (load(g + s) - mean));
}

}  // namespace popgrad::kernels
