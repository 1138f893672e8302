// What each block of the trained maps contributes to what the heads see: scores of layer 1, scores of layer 2, logits.
#pragma once
#include <cstdint>
#include <vector>

#include "core/minimal_task.hpp"
#include "numerics/kept_blocks.hpp"

namespace popgrad {

// rms: root of the population mean of the squared contribution, centred over what the softmax normalizes over, because a
// softmax is blind to constants: W_K1, keys s <= t of the rows 2 <= t <= T'-1 (mean over rows, T' the length of the
// sequence); W_K2, all keys of the last position; W_O, the N logits there. error: its standard error; 0 where it is a sum
// over orbits.
struct ScoreShare {
  MapBlock block;
  double rms = 0, error = 0;
};

// One share for each of acting_blocks(), in that order. T <= longest_orbits; the errors of orbit_descent.
std::vector<ScoreShare> score_shares(const MinimalTask& task, const InvariantMaps<double>& maps);

// The same from `samples` sequences, stratified as those of sample_descent, any T. HypothesisError unless samples >= 2.
std::vector<ScoreShare> sampled_score_shares(const MinimalTask& task, const InvariantMaps<double>& maps,
                                             std::int64_t samples, std::uint64_t seed);

// share of `block` over that of the memory block of its map: by what factor it overwhelms (above 1) the memory. Infinite
// where the memory contributes nothing and the block does; 0 where neither does.
double overwhelming_factor(const std::vector<ScoreShare>& shares, const MapBlock& block);

}  // namespace popgrad
