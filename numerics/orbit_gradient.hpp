// Forward and backward pass of the ideal model on one orbit, at invariant parameters. Internal to numerics.
#pragma once
#include <vector>

#include "numerics/invariant_maps.hpp"
#include "numerics/orbits.hpp"
#include "numerics/paths.hpp"

namespace popgrad {

// Sums over orbits of what the gradient of an invariant loss has to be averaged from. At invariant parameters the softmaxes are blind to
// whatever is the same for all keys or outputs, so of W_K2 and W_K1 only the contrasts of the token-token blocks and the blocks with a
// position key act, and off = -diag/(N-1) in every token-token block of a gradient because its rows add up to zero. For the same reason the
// blocks (U,P), (U,S) and those with a position query and a token key get no gradient.
template <class S>
struct OrbitSums {
  S ue = S(0), ur = S(0);                          // sum of the diagonal of (U,E), (U,R)
  S ee = S(0), er = S(0), re = S(0), rr = S(0);    // the same for W_K2
  std::vector<S> ep, es;                           // T: (E,P) = (R,P) and (E,S) = (R,S), summed over tokens
  std::vector<S> pp, ps, sp, ss;                   // T x T
  S first_ee = S(0);                               // W_K1
  std::vector<S> first_ep, first_pp;
  // Set by evaluate() alone: cross-entropy minus log N; P(right) with ties shared; mean of the right logit minus the best other; pairs
  // (orbit, label), and how many of them have the right token share the top.
  S loss = S(0), accuracy = S(0), margin = S(0);
  std::int64_t rows = 0, ties = 0;

  explicit OrbitSums(int T);
  OrbitSums& operator+=(const OrbitSums& other);
};

// Working memory for sequences of one length; one object a thread.
template <class S>
class OrbitPass {
 public:
  explicit OrbitPass(const InvariantMaps<S>& maps, const Paths& paths = {}) : maps_(maps), paths_(paths) {}
  // Adds `weight` times (sum over the orbit's first triggers of) -d loss to `sums`. weight: probability of one trigger place, all
  // labellings of the classes together.
  void add_descent(const Orbit& orbit, const S& weight, const Wanted& wanted, OrbitSums<S>& sums);
  // Logit of each class, then the one that all other tokens share. Valid until the next call.
  const std::vector<S>& logits(const Orbit& orbit);
  // Adds weight times loss, accuracy and margin, and counts. Logits that differ by at most `blur` tie.
  void evaluate(const Orbit& orbit, const S& weight, double blur, OrbitSums<S>& sums);

 private:
  void forward(const Orbit& orbit);
  void backward_keys(const Orbit& orbit, const Wanted& wanted, OrbitSums<S>& sums);
  void add_first_layer(const Orbit& orbit, OrbitSums<S>& sums);
  S& a1(int t, int s) { return attention1_[static_cast<std::size_t>(t * length_ + s)]; }

  const InvariantMaps<S>& maps_;
  Paths paths_;
  int length_ = 0;
  std::vector<S> attention1_;                                 // L x L
  std::vector<S> mass_;                                       // classes: attention of the last position in layer 1
  std::vector<S> query_e_, query_r_, query_p_, query_s_;      // the last position's query against each key coordinate
  std::vector<S> attention2_, value_e_, value_r_;             // L; classes
  std::vector<S> logit_, probability_;                        // classes; the other tokens have logit 0
  std::vector<S> residual_;                                   // weight (labels - triggers p_hat), classes
  std::vector<S> score_, key_e_, key_r_, key_s_;              // L; classes; classes; L
};

}  // namespace popgrad
