// What was measured to compare minibatch gradients with a population gradient: plain numbers, no judgement.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popgrad {

// One block of dictionary coefficients of one map. C(.) is the block of a gradient, n the expected number of loss positions
// of a sequence; all gradients are divided by n. The reference sample is split in two: its first part fixes the direction D
// = C(G)/|C(G)|, its second part supplies the value to compare with, so that the direction is not fitted to that value.
// Means are over the R minibatches g_1 .. g_R of B sequences each; R = 1 is a single minibatch.
struct BlockEvidence {
  std::string map, block;              // "wk2", "E,R"
  std::int64_t nonzero_reference = 0;  // sequences whose C is not exactly zero, of the whole reference
  std::int64_t nonzero_batch = 0;  // the same of the minibatches; counted only where nonzero_reference is 0

  bool has_direction = false;         // false where the first part's C(G) is exactly zero
  double reference_projection = 0;    // <C(G), D>, second part
  double batch_projection = 0;        // mean of <C(g), D>
  double variance = 0;                // of <C(h), D> over single sequences h
  double skewness = 0, kurtosis = 3;  // of the same; kurtosis of a normal variable is 3
  double pooled_projection = 0;       // the same of the ratio of sums, sum of gradients / number of loss positions
  double pooled_bias = 0;             // its bias to first order in 1/B, E<C(pooled), D> - <C(G), D>

  double batch_square = 0;         // mean of |C(g)|^2
  double cross = 0;                // mean of <C(g), C(G)>, G from the whole reference
  double reference_square = 0;     // |C(G)|^2
  double one_sample_variance = 0;  // c = E|C(h)|^2 - |E C(h)|^2, unbiased
  double spread = 0;               // standard deviation of |C(g) - C(G)|^2 over disjoint reference batches of size B
};

struct GradientEvidence {
  std::int64_t batch = 0;            // B, sequences a minibatch
  std::int64_t minibatches = 1;      // R
  std::int64_t reference = 0;        // M, sequences
  std::int64_t second_part = 0;      // sequences in the second part
  std::int64_t groups = 0;           // M / B
  double positions = 0;              // estimate of n
  double positions_error = 0;        // its standard error
  std::int64_t batch_positions = 0;  // loss positions in all R minibatches
  std::vector<BlockEvidence> blocks;

  // s g in place of every minibatch gradient g.
  GradientEvidence scaled(double s) const;
};

inline GradientEvidence GradientEvidence::scaled(double s) const {
  GradientEvidence result = *this;
  for (BlockEvidence& block : result.blocks) {
    block.batch_projection *= s;
    block.batch_square *= s * s;
    block.cross *= s;
  }
  return result;
}

}  // namespace popgrad
