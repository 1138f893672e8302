// The first two steps to leading order from joint laws of a few tokens, without sequences. Internal to numerics.
#pragma once
#include "core/minimal_task.hpp"
#include "core/rational.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/moment_pairs.hpp"
#include "numerics/moment_reads.hpp"
#include "numerics/moment_score.hpp"

namespace popgrad {

// E sum_ru c_ru f_r x_u.
Rational mean_product(const ReadCovariance& c, const PairExcess& pair);

// E sum_t (A f)_t of a reading of length L with `weight` = ReadScale::weights.
Rational mean_reading(const std::array<Rational, 3>& weight, const MeanExcess& excess, int L);

// -dL/dW_O at zero, (1/L) E sum_t (e_y - 1/N) x1_t', averaged over the task's lengths L. scale reaches task.T. O(T) a
// length.
InvariantMaps<Rational> moment_first_step(const MinimalTask& task, const ReadScale& scale);

// -dL/dW_K2 at W_K1 = W_K2 = 0, to first order in W_O. With f_t = 1{z_t=o} - 1/N, F_t its mean over s <= t and g =
// value.token f + value.prefix F, the descent in the score of key t is (1/L)(g_t - mean g); the blocks are its covariances
// with keys (token or prefix reading) weighed by the query: z_T = q for E, the frequencies of tokens for R. O(T) a length,
// and O(T^2) to write.
InvariantMaps<Rational> moment_second_step(const MinimalTask& task, const ReadScale& scale, const ValueContrasts& value);

// diag - off of its (E,R) block alone: what stage 3 is handed when blocks are isolated.
Rational moment_second_memory(const MinimalTask& task, const ReadScale& scale, const ValueContrasts& value);

// diag = sum / N, off = -diag / (N-1): the rows of a token-token block of a gradient add up to zero.
void set_diagonal_sum(InvariantBlock<Rational>& block, const Rational& sum, int N);

}  // namespace popgrad
