// What every block of the trained maps adds to the scores and logits of one sequence. Internal to numerics.
#pragma once
#include <vector>

#include "numerics/kept_blocks.hpp"
#include "numerics/orbits.hpp"

namespace popgrad {

// One object a thread; keeps a reference to the maps.
class BlockScores {
 public:
  explicit BlockScores(const InvariantMaps<double>& maps) : maps_(maps) {}
  // In the order of acting_blocks(): mean over keys (outputs for W_O) of the squared contribution, centred, as score_shares
  // defines it. The attentions are those of all blocks together. O(T^2), with (S,S) O(T^2) a sequence as well.
  const std::vector<double>& mean_squares(const Orbit& orbit);

 private:
  void first_layer(const Orbit& orbit);
  void second_layer(const Orbit& orbit);
  void logits(const Orbit& orbit);
  double a1(int t, int s) const { return attention1_[static_cast<std::size_t>(t * length_ + s)]; }
  double& square(const MapBlock& block);

  const InvariantMaps<double>& maps_;
  int length_ = 0;
  std::vector<double> attention1_, attention2_;  // L x L; L
  std::vector<double> squares_;
};

}  // namespace popgrad
