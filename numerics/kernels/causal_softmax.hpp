// Softmax over the keys that a query may see, and its derivative, in place.
#pragma once

namespace popgrad::kernels {

// Row of padded(seen) scores: entries 0 .. seen - 1 become their softmax, the rest of the last vector 0. seen >= 1.
void softmax(float* row, int seen);

// g_s <- a_s (g_s - sum_u a_u g_u) over padded(seen) entries; a is 0 beyond `seen`, and so becomes g.
void softmax_gradient(const float* a, float* g, int seen);

// Row of padded(count) logits: entries 0 .. count - 1 become probabilities, the rest of the last vector 0. Returns -log of that
// of `target`, in nats, as log-sum-exp minus logit: it is right where the probability itself underflows.
double softmax_loss(float* row, int count, int target);

}  // namespace popgrad::kernels
