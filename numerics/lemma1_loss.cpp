#include "numerics/lemma1_loss.hpp"

#include <cmath>
#include <exception>
#include <string>

#include "numerics/bilinear_logits.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {
namespace {

// A ratio of two exact counts in one rounding.
RunningError rounded_once(double ratio) { return {ratio, std::abs(ratio) * 0x1p-53}; }

struct Law {
  std::vector<RunningError> of_token;  // N
  std::vector<RunningError> of_pair;   // N x N, p(k|z), z first
};

Law law_of(const BigramCounts& counts) {
  Law law;
  for (int z = 0; z < counts.N(); ++z) {
    law.of_token.push_back(rounded_once(counts.unigram_probability(z)));
    for (int k = 0; k < counts.N(); ++k) law.of_pair.push_back(rounded_once(counts.bigram_probability(z, k)));
  }
  return law;
}

void check(const BigramCounts& counts, const Matrix& w_e, const Matrix& w_u, const Matrix& w) {
  const auto shape = [](const Matrix& m) { return std::to_string(m.rows()) + " x " + std::to_string(m.cols()); };
  const std::string tables = std::to_string(counts.N()) + " x " + std::to_string(w.rows());
  require(w.rows() == w.cols() && w.rows() > 0, "bigram_loss", "w", "square", shape(w));
  require(shape(w_e) == tables, "bigram_loss", "w_e", tables, shape(w_e));
  require(shape(w_u) == tables, "bigram_loss", "w_u", tables, shape(w_u));
}

std::vector<RunningError> entries(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

// L - log N. D is RunningError, or a series over it when W moves.
template <class D>
D excess_loss(const Law& law, const std::vector<RunningError>& w_e, const std::vector<RunningError>& w_u,
              const std::vector<D>& w, int d) {
  const int N = static_cast<int>(law.of_token.size());
  D loss(0);
  for (int z = 0; z < N; ++z) {
    const std::vector<D> logits = bilinear_logits(w_u, w, &w_e[static_cast<std::size_t>(z * d)], N, d, d);
    const D log_mean = log_mean_exp(logits);
    D inner(0);
    for (int k = 0; k < N; ++k)
      add_product(inner, D(law.of_pair[static_cast<std::size_t>(z * N + k)]),
                  D(log_mean - logits[static_cast<std::size_t>(k)]));
    loss += D(law.of_token[static_cast<std::size_t>(z)]) * inner;
  }
  return loss;
}

}  // namespace

double bigram_loss(const BigramCounts& counts, const Matrix& w_e, const Matrix& w_u, const Matrix& w) {
  check(counts, w_e, w_u, w);
  const RunningError excess =
      excess_loss(law_of(counts), entries(w_e), entries(w_u), entries(w), static_cast<int>(w.rows()));
  return excess.value + std::log(counts.N());
}

BigramLossGradient bigram_loss_gradient(const BigramCounts& counts, const Matrix& w_e, const Matrix& w_u, const Matrix& w) {
  check(counts, w_e, w_u, w);
  const Law law = law_of(counts);
  const std::vector<RunningError> inputs = entries(w_e), outputs = entries(w_u), weights = entries(w);
  const int d = static_cast<int>(w.rows());
  BigramLossGradient gradient{Matrix::Zero(d, d), Matrix::Zero(d, d)};
  // Each entry is one thread's work from start to end: its bits do not depend on their number. No exception may leave a
  // parallel loop.
  std::vector<std::exception_ptr> failed(weights.size());
#pragma omp parallel for
  for (int i = 0; i < d * d; ++i) {
    try {
      std::vector<RunningError> direction(weights.size());
      direction[static_cast<std::size_t>(i)] = RunningError(1);
      const RunningError slope = excess_loss(law, inputs, outputs, moved_along(weights, direction), d)[1];
      gradient.value(i / d, i % d) = slope.value;
      gradient.roundoff(i / d, i % d) = slope.error;
    } catch (...) {
      failed[static_cast<std::size_t>(i)] = std::current_exception();
    }
  }
  for (const std::exception_ptr& failure : failed)
    if (failure) std::rethrow_exception(failure);
  return gradient;
}

}  // namespace popgrad
