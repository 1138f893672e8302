// Accuracy of the ideal model at given maps as a proved enclosure: counting, where a floating-point argmax would guess.
#pragma once
#include <cstdint>

#include "core/interval.hpp"
#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

// P(the label has the largest logit), a tie of k tokens counting 1/k. Rows are kinds of sequences: an orbit and its label.
struct CertifiedAccuracy {
  Interval accuracy;
  std::int64_t rows = 0;
  std::int64_t tied = 0;       // proved ties at the top
  std::int64_t undecided = 0;  // rows whose label may or may not be largest
  double undecided_mass = 0;   // upper bound of their probability
};

// Logits are enclosed as in certified_descent (its assumptions, its cost). A row is right if the label's logit lies above all others,
// wrong if one lies above it, and otherwise undecided: wrong in the lower end of `accuracy`, right in the upper one.
//
// A tie is proved where both logits are the same point, or where W_O has (U,E) alone, W_K2 (E,R) alone, and the scores of
// the two tokens' positions are equal for a reason that does not need their values: the score of position s is the contrast of
// (E,R) times the attention that s pays to the trigger, which is 0 if the trigger is not among 1..s, 1 if nothing else is, and n/s
// if W_K1 = 0 and the trigger is there n times. Other ties stay undecided. Same bits for any number of threads. Errors of
// orbit_descent; HypothesisError if a parameter is not bounded.
CertifiedAccuracy certified_accuracy(const MinimalTask& task, const InvariantMaps<Interval>& maps);

}  // namespace popgrad
