// Finite-d models whose answers can be worked out by hand.
#pragma once
#include "core/residual_blocks.hpp"
#include "numerics/initialization.hpp"

namespace popgrad {

// The ideal model inside d = 2(N+T) + N: every atom is a coordinate vector. Coordinates E, P, R, S as in core, then U.
// W_V1 = W_V2 = 1, W_O1 sends E_k to R_k and P_t to S_t and all else to 0; trained maps zero; kappa = 1.
inline FiniteModel coordinate_model(int N, int T) {
  const Coordinates at{N, T};
  const int d = at.size() + N;
  const Matrix identity = Matrix::Identity(d, d);
  FiniteModel model;
  model.frozen.tok = identity.middleRows(at.first(Block::E), N);
  model.frozen.pos = identity.middleRows(at.first(Block::P), T);
  model.frozen.out = identity.bottomRows(N);
  model.frozen.wv1 = model.frozen.wv2 = identity;
  model.frozen.wo1 = Matrix::Zero(d, d);
  for (int i = 0; i < at.input_size(); ++i) model.frozen.wo1(at.input_size() + i, i) = 1;
  model.trained = TrainedMaps::zero(d);
  return model;
}

// Index of w_U(k) in the coordinate model.
inline int output_coordinate(const FiniteModel& model, int k) { return 2 * (model.N() + model.T()) + k; }

// The memories W_O2*, W_K2*, W_K1* of docs/theory.md, times a strength each.
inline void plant_memories(FiniteModel& model, double wo2, double wk2, double wk1) {
  const Coordinates at{model.N(), model.T()};
  for (int k = 0; k < at.N; ++k) {
    model.trained.wo2(output_coordinate(model, k), at.at(Block::E, k)) = wo2;
    model.trained.wk2(at.at(Block::E, k), at.at(Block::R, k)) = wk2;
  }
  for (int t = 1; t < at.T; ++t) model.trained.wk1(at.at(Block::P, t), at.at(Block::P, t - 1)) = wk1;
}

// Nothing zero, nothing symmetric, all sizes different.
inline FiniteModel generic_model(int N, int T, int d, std::uint64_t seed, bool feed_forward = true) {
  ModelOptions options;
  options.N = N;
  options.T = T;
  options.d = d;
  options.score_scale = 0.8;
  options.feed_forward = feed_forward;
  options.tok = options.pos = options.out = {Init::gaussian, 0.6};
  for (InitSpec* map : {&options.wv1, &options.wo1, &options.wv2, &options.wk1, &options.wk2, &options.wo2, &options.wf})
    *map = {Init::gaussian, 0.3};
  return make_model(options, seed);
}

}  // namespace popgrad
