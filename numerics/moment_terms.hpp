// The engine `moments`: leading order of the stages for any N and long sequences, exactly, from joint laws of a few tokens.
#pragma once
#include <vector>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {

// What stage_terms gives, by another route: at leading order p_hat = 1/N and every attention is uniform, so each coefficient
// is a mean of products of token equalities, summed over positions; the tokens are independent given tau, so these means
// depend on what a few positions hold. No sequence, orbit or closed form is used. Covered: stages 1 and 2 whole; stage 3
// with an ideal hand-off, or an actual one with isolated blocks. HypothesisError unless labels are uniform and stage is
// 1..3; InputError for a bad task, T > longest_moments after stage 1, or stage 3 of an actual hand-off of full blocks
// (orbits or exact do it).
std::vector<StageTerm> moment_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage);

inline constexpr int longest_moments = 512;  // the T x T blocks of W_K2 then hold a million rationals of hundreds of digits

}  // namespace popgrad
