// The three-step construction at finite d: the same steps from the same starts, with Gaussian embeddings.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/moments.hpp"
#include "core/stages.hpp"
#include "numerics/block_summary.hpp"
#include "numerics/finite_model.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {

// Sets the trained maps of `model` to where `stage` starts. Ideal hand-off: W_O2 = alpha sum_k w_U(k) (W_V2 w_E(k))^T and
// W_K2 = beta sum_k w_E(k) w_1(k)^T. Actual: eta times the descent direction of the population loss, exact for these
// embeddings; blocks = isolated keeps of it sum_ij c_ij u_i v_j^T over the atoms of (U,E), then of (E,R), with c the
// coefficients() of numerics/dictionary.hpp, cross-talk included. HypothesisError unless 1 <= stage <= 3 and the model is
// the task's; InputError if the task has too many sequences.
void set_stage_start(FiniteModel& model, const MinimalTask& task, Handoff handoff, Blocks blocks, int stage,
                     const StageSizes& sizes);

// -dL/d(map) of the population loss at `model`, in the coordinates of its dictionary, block by block: the coefficients
// averaged over the entries that the ideal model makes equal (diagonal and the rest; one number a position; every entry of
// position-position).
std::vector<BlockSummary<double>> finite_stage_blocks(const FiniteModel& model, const MinimalTask& task, Map map);

// One block over draws of the embeddings: standard_error() is the error of the mean, sqrt(variance()) the spread of a draw.
struct BlockMoments {
  std::string name;
  BlockKind kind = BlockKind::token_token;
  Moments diag, off, contrast;   // token-token; contrast = diag - off of the same draw
  std::vector<Moments> entries;  // as in BlockSummary
};

struct FiniteStage {
  MinimalTask task;
  Handoff handoff = Handoff::ideal;
  Blocks blocks = Blocks::full;
  int stage = 1;
  StageSizes sizes;
  Map map = Map::wo2;  // which gradient; need not be the stage's
  int d = 64;
  std::int64_t draws = 32;
  std::uint64_t seed = 1;
};

// Moments over `draws` independent models of make_model's default law (embeddings and frozen maps N(0, 1/d), kappa = 1,
// trained maps set by set_stage_start). No sequence is sampled: the only sampling is that of the embeddings. progress(done)
// after each draw, if given. HypothesisError unless draws >= 2 and map is not wf. Same bits for any number of threads.
std::vector<BlockMoments> sample_finite_stage(const FiniteStage& stage,
                                              const std::function<void(std::int64_t)>& progress = {});

}  // namespace popgrad
