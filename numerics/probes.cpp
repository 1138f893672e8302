#include "numerics/probes.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/errors.hpp"
#include "numerics/recall.hpp"

namespace popgrad {

Probe recall_wo2(const FiniteModel& model) {
  model.validate();
  BoundedProduct scores(model.frozen.tok);  // row k, column j: w_U(j)^T W_O2 W_V2 w_E(k)
  scores.times(model.frozen.wv2.transpose()).times(model.trained.wo2.transpose()).times(model.frozen.out.transpose());
  const Matrix roundoff = scores.roundoff();
  RecallSums sums;
  for (int k = 0; k < model.N(); ++k) sums.add(scores.value.row(k).data(), roundoff.row(k).data(), model.N(), k);
  return sums.finish();
}

Probe recall_wk2(const FiniteModel& model, const std::vector<int>& tokens) {
  model.validate();
  std::vector<int> probed = tokens;
  if (probed.empty()) {
    probed.resize(static_cast<std::size_t>(model.N()));
    std::iota(probed.begin(), probed.end(), 0);
  }
  std::vector<bool> seen(static_cast<std::size_t>(model.N()), false);
  const int n = static_cast<int>(probed.size());
  Matrix embeddings(n, model.d());
  for (int i = 0; i < n; ++i) {
    const int token = probed[static_cast<std::size_t>(i)];
    require(0 <= token && token < model.N(), "recall_wk2", "tokens", "0.." + std::to_string(model.N() - 1),
            std::to_string(token));
    require(!seen[static_cast<std::size_t>(token)], "recall_wk2", "tokens", "each token once",
            std::to_string(token) + " twice");
    seen[static_cast<std::size_t>(token)] = true;
    embeddings.row(i) = model.frozen.tok.row(token);
  }
  BoundedProduct scores(embeddings);  // row i, column j: w_E(i)^T W_K2 W_O1 W_V1 w_E(j)
  scores.times(model.trained.wk2).times(model.frozen.wo1).times(model.frozen.wv1).times(embeddings.transpose());
  const Matrix roundoff = scores.roundoff();
  RecallSums sums;
  for (int i = 0; i < n; ++i) sums.add(scores.value.row(i).data(), roundoff.row(i).data(), n, i);
  return sums.finish();
}

PositionScores::PositionScores(const FiniteModel& model) {
  model.validate();
  BoundedProduct scores(model.frozen.pos);  // row t, column s: p_t^T W_K1 p_s
  scores.times(model.trained.wk1).times(model.frozen.pos.transpose());
  scores_ = scores.value;
  roundoff_ = scores.roundoff();
}

Probe PositionScores::recall(int positions, bool causal) const {
  require(positions >= 1, "PositionScores::recall", "positions", "at least 1", std::to_string(positions));
  const int P = std::min(positions, static_cast<int>(scores_.rows()));
  RecallSums sums;
  for (int t = 1; t < P; ++t) sums.add(scores_.row(t).data(), roundoff_.row(t).data(), causal ? t + 1 : P - 1, t - 1);
  return sums.finish();
}

Probe recall_wk1(const FiniteModel& model, int positions, bool causal) {
  return PositionScores(model).recall(positions, causal);
}

}  // namespace popgrad
