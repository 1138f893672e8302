// How often the ideal model answers right on fresh sequences, at given invariant maps: exactly where orbits are few, else sampled.
#pragma once
#include <cstdint>

#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"

namespace popgrad {

struct Answer {
  double accuracy = 0;       // P(argmax of the logits = o); a tie counts 1/#tied, so the uniform guess has 1/N
  double error = 0;          // standard error of `accuracy`; 0 if exact
  double margin = 0;         // mean of the right logit minus the best other
  double tied = 0;           // P(the right token shares the top); no more than that much of `accuracy` hangs on how ties are broken
  std::int64_t samples = 0;  // sequences, or kinds of sequences (orbit and label) if exact
  bool exact = false;        // a sum over all sequences, up to roundoff
};

struct AnswerOptions {
  std::int64_t samples = 20000;
  std::uint64_t seed = 1;
  std::uint64_t substream = 0;  // other sequences of the same seed
  int longest_sum = 9;          // up to this T all orbits are summed (T = 9: 2e4 of them) instead of sampled
};

// Two logits are a tie when they differ by no more than logit_roundoff(maps). Sampled sequences are stratified over tau and o = q
// (numerics/stage_strata.hpp) and keyed by (seed, Purpose::evaluation, number): every map is judged on the same ones, and bits do
// not depend on the number of threads. O(T^2) a sequence.
// HypothesisError unless maps are finite and of the task's N and T, labels uniform and samples >= 2; InputError for a bad task.
Answer answer(const MinimalTask& task, const InvariantMaps<double>& maps, const AnswerOptions& options = {});

// The best possible answer argmax_k P(o = k | z): the same sums or samples with max_k P(o = k | z) in place of the model's answer.
// `margin` and `tied` stay 0.
Answer best_possible(const MinimalTask& task, const AnswerOptions& options = {});

// Bound on the rounding error of a difference of two logits, the same for every sequence: attention weights are relative to the
// errors of their scores, which grow with the largest |score| that the maps allow.
double logit_roundoff(const InvariantMaps<double>& maps);

}  // namespace popgrad
