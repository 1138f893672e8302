#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "numerics/probes.hpp"
#include "numerics/softmax.hpp"

namespace popgrad {

Matrix bigram_law(const BigramCounts& counts) {
  const int N = counts.N();
  Matrix law(N, N);
  for (int z = 0; z < N; ++z)
    for (int k = 0; k < N; ++k) law(z, k) = counts.bigram_probability(z, k);
  return law;
}

Probe bigram_kl(const FiniteModel& model, const Matrix& law, const std::vector<int>& excluded) {
  model.validate();
  const int N = model.N();
  require(law.rows() == N && law.cols() == N, "bigram_kl", "law", "N x N with N = " + std::to_string(N),
          std::to_string(law.rows()) + " x " + std::to_string(law.cols()));
  std::vector<bool> skip(static_cast<std::size_t>(N), false);
  for (const int token : excluded) {
    require(0 <= token && token < N, "bigram_kl", "excluded", "0.." + std::to_string(N - 1), std::to_string(token));
    skip[static_cast<std::size_t>(token)] = true;
  }
  // Row k: W_U W_F w_E(k).
  const Matrix logits = model.frozen.tok * model.trained.wf.transpose() * model.frozen.out.transpose();
  const double log_N = std::log(static_cast<double>(N));
  Probe probe;
  for (int k = 0; k < N; ++k) {
    if (skip[static_cast<std::size_t>(k)]) continue;
    require(law.row(k).minCoeff() >= 0 && std::abs(law.row(k).sum() - 1) <= 1e-9, "bigram_kl", "law",
            "rows of probabilities with sum 1",
            "row " + std::to_string(k) + " with sum " + std::to_string(law.row(k).sum()));
    const double normalizer = log_sum_exp(logits.row(k));
    for (int j = 0; j < N; ++j) {
      const double p = law(k, j);
      if (p == 0) continue;  // p log p -> 0
      probe.value += p * (std::log(p) - (logits(k, j) - normalizer));
      probe.chance += p * (std::log(p) + log_N);
    }
    ++probe.rows;
  }
  if (probe.empty()) return probe;
  probe.value /= probe.rows;
  probe.chance /= probe.rows;
  probe.margin = probe.chance - probe.value;
  return probe;
}

}  // namespace popgrad
