// The leading order of a stage's gradient on one sequence, written out: what the Monte Carlo engine subtracts from its
// samples.
#pragma once
#include <vector>

#include "core/minimal_task.hpp"
#include "numerics/orbit_gradient.hpp"

namespace popgrad {

// Terms of lowest order in the maps `at` of -d loss/d(map of the stage) at W_K1 = 0, where every attention is uniform and
// p_hat = 1/N:
//   stage 1, W_O  : order 0
//   stage 2, W_K2 : linear in W_O
//   stage 3, W_K1 : linear in W_O, quadratic in W_O, and bilinear in W_O and W_K2
// W_K1 of `at` does not count. No exponentials; softmaxes are linearized by hand, so O(T^2) with a small constant. S:
// double, Rational.
template <class S>
class LeadingPass {
 public:
  LeadingPass(const InvariantMaps<S>& at, int stage);  // keeps a reference; HypothesisError unless 1 <= stage <= 3
  // As OrbitPass::add_descent.
  void add_descent(const Orbit& orbit, const S& weight, OrbitSums<S>& sums);

 private:
  void start(const Orbit& orbit, const S& weight);
  void prepare_length(int length);
  void second_layer(const Orbit& orbit);
  void add_second(const Orbit& orbit, OrbitSums<S>& sums) const;
  void add_third(const Orbit& orbit, const S& weight, OrbitSums<S>& sums);
  std::vector<S> guess_slope(const Orbit& orbit, const S& weight) const;
  std::vector<S> attention_change(const Orbit& orbit) const;

  const InvariantMaps<S>& at_;
  int stage_, length_ = 0;
  std::vector<S> one_over_;                 // 1/n
  std::vector<S> position_p_, position_s_;  // L: what the last position and uniform S_r query of P_s and S_s
  std::vector<S> residual_, mass_;          // classes: weight (labels - triggers/N); share of positions
  std::vector<S> score_, key_s_;      // L: descent in the scores of layer 2; in what S_r (and R of its token) adds to keys
  std::vector<S> key_e_, key_r_;      // classes
  std::vector<S> query_e_, query_r_;  // classes
};

// E of it over the task, by orbits: exact for Rational. T at most longest_orbits; the errors of orbit_descent. S: double,
// Rational.
template <class S>
InvariantMaps<S> leading_descent(const MinimalTask& task, const InvariantMaps<S>& at, int stage);

}  // namespace popgrad
