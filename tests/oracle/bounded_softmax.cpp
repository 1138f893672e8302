#include "tests/oracle/bounded_softmax.hpp"

#include <algorithm>
#include <cmath>

namespace popgrad::oracle {
namespace {

constexpr int exp_units = 16;           // |computed exp / exp - 1| <= exp_units u
constexpr double flushed = 0x1.0p-100;  // smaller results may be lost
constexpr int spare = 8;                // roundings of a score beyond those of its own sum: tables added up, the scale

// What normalizing does to all weights of a row alike: the sum of n powers, its reciprocal, the product.
double normalization(int n, double u) { return gamma(n + 4, u); }

// Error of score s once exp(score - shift) is taken, as a factor exp(+-E): its own, the subtraction's, exp's.
double exponent_error(double error, double distance, double u) { return error + 4 * u * distance + 2 * exp_units * u; }

}  // namespace

// a'_s = a_s e^{x_s} / sum_r a_r e^{x_r} with |x_r| <= E_r, hence
// a'_s - a_s = a_s sum_{r != s} a_r (e^{x_s} - e^{x_r}) / sum_r a_r e^{x_r}: it vanishes where a_s is 1.
BoundedMatrix softmax(const BoundedMatrix& scores, const std::vector<int>& prefix, double u) {
  const Grid score_error = scores.error(u, spare);
  Grid value(scores.rows(), scores.columns()), error(scores.rows(), scores.columns());
  for (int i = 0; i < value.rows; ++i) {
    const int n = prefix[static_cast<std::size_t>(i)];
    double top = scores.value(i, 0), sum = 0;
    for (int s = 0; s < n; ++s) top = std::max(top, scores.value(i, s));
    for (int s = 0; s < n; ++s) sum += value(i, s) = std::exp(scores.value(i, s) - top);
    std::vector<double> grows(static_cast<std::size_t>(n)), shrinks(grows), E(grows);  // a (e^E - 1), a (1 - e^-E)
    double total_grows = 0, total_shrinks = 0, others_total = 0;
    for (int s = 0; s < n; ++s) {
      const auto at = static_cast<std::size_t>(s);
      value(i, s) /= sum;
      E[at] = exponent_error(score_error(i, s), top - scores.value(i, s), u);
      total_grows += grows[at] = value(i, s) * std::expm1(E[at]);
      total_shrinks += shrinks[at] = -value(i, s) * std::expm1(-E[at]);
      others_total += value(i, s);
    }
    for (int s = 0; s < n; ++s) {
      const auto at = static_cast<std::size_t>(s);
      const double others = std::max(0.0, others_total - value(i, s));
      const double up = others * std::expm1(E[at]) + std::max(0.0, total_shrinks - shrinks[at]);
      const double down = std::max(0.0, total_grows - grows[at]) - others * std::expm1(-E[at]);
      const double moved = value(i, s) * std::max(up, down) / (1 - total_shrinks);
      error(i, s) = moved + (value(i, s) + moved) * normalization(n, u) + flushed;
    }
  }
  return atom(std::move(value), std::move(error));
}

BoundedMatrix softmax_backward(const BoundedMatrix& a, const BoundedMatrix& c, double u) {
  const Grid c_error = c.error(u, spare + a.columns());
  Grid value(a.rows(), a.columns()), error(value), size(value);
  for (int i = 0; i < value.rows; ++i) {
    double mean = 0, mean_size = 0, mean_error = 0;
    for (int s = 0; s < a.columns(); ++s) {
      mean += a.value(i, s) * c.value(i, s);
      mean_size += a.size(i, s) * (std::abs(c.value(i, s)) + c_error(i, s));
    }
    // The weights keep their sum 1 up to the normalization, so their errors act on c - mean.
    for (int s = 0; s < a.columns(); ++s)
      mean_error += a.size(i, s) * c_error(i, s) + a.inherited(i, s) * std::abs(c.value(i, s) - mean);
    mean_error += 2 * normalization(a.columns(), u) * mean_size;
    for (int s = 0; s < a.columns(); ++s) {
      if (a.value(i, s) == 0 && a.inherited(i, s) == 0) continue;  // masked
      const double bracket = c.value(i, s) - mean, moved = c_error(i, s) + mean_error;
      value(i, s) = a.value(i, s) * bracket;
      const double bracket_size = std::abs(c.value(i, s)) + c_error(i, s) + mean_size;
      error(i, s) = a.size(i, s) * (moved + 4 * u * bracket_size) + a.inherited(i, s) * std::abs(bracket);
      size(i, s) = a.size(i, s) * bracket_size;
    }
  }
  return atom(std::move(value), std::move(error), std::move(size));
}

CrossEntropy cross_entropy(const BoundedMatrix& logits, int row, int label, double u) {
  const Grid errors = logits.error(u, spare);
  const int N = logits.columns();
  double top = logits.value(row, 0), sum = 0, up = 0, down = 0;
  for (int k = 0; k < N; ++k) top = std::max(top, logits.value(row, k));
  for (int k = 0; k < N; ++k) sum += std::exp(logits.value(row, k) - top);
  for (int k = 0; k < N; ++k) {
    const double p = std::exp(logits.value(row, k) - top) / sum;
    const double E = exponent_error(errors(row, k), top - logits.value(row, k), u);
    up += p * std::expm1(E);
    down -= p * std::expm1(-E);
  }
  CrossEntropy result;
  const double score = logits.value(row, label);
  result.loss = std::log(sum) + (top - score);
  result.size = std::log(sum) + std::abs(top) + std::abs(score);
  result.error = std::max(std::log1p(up), -std::log1p(-down)) + errors(row, label) + normalization(N, u) +
                 (exp_units + 4) * u * result.size;
  return result;
}

BoundedMatrix residual(const BoundedMatrix& logits, const std::vector<int>& labels, double u) {
  BoundedMatrix p = softmax(logits, std::vector<int>(labels.size(), logits.columns()), u);
  Grid value = p.value, error = p.inherited;
  for (int i = 0; i < value.rows; ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    double others = 0;
    for (int k = 0; k < value.columns; ++k) others += k == label ? 0 : value(i, k);
    value(i, label) = -others;
    error(i, label) += normalization(value.columns, u) * (1 + error(i, label));
  }
  return atom(std::move(value), std::move(error));
}

}  // namespace popgrad::oracle
