// L1: the gradient of the one-matrix bigram loss is a sum of outer products weighted by prediction errors.
#include <functional>

#include "core/philox.hpp"
#include "numerics/lemma1_loss.hpp"
#include "numerics/scalar.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/bounded_form.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/lemma1.hpp"

namespace popgrad {
namespace {

Matrix random_matrix(int rows, int columns, double scale, std::uint64_t seed, std::uint64_t which) {
  Stream stream(seed, Purpose::direction, which);
  Matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = scale * stream.normal();
  return m;
}

struct Instance {
  const BigramCounts& counts;
  Matrix w_e, w_u, w;  // N x d, N x d, d x d
};

// What stands in the place of p(z), phat(k|z) and p(k|z); the claim's own unless a control replaces one.
struct Ingredients {
  std::function<RunningError(int z)> p_z;
  std::function<RunningError(int k, int z)> p_hat, p_kz;
};

RunningError ratio(std::int64_t numerator, std::int64_t denominator) {
  return RunningError(static_cast<double>(numerator)) / RunningError(static_cast<double>(denominator));
}

// phat_W(.|z) for every z, N x N with z first.
std::vector<std::vector<RunningError>> predictions(const Instance& instance) {
  const int N = instance.counts.N();
  const auto d = instance.w.rows();
  std::vector<std::vector<RunningError>> all;
  for (int z = 0; z < N; ++z) {
    std::vector<RunningError> image(static_cast<std::size_t>(d)), logits(static_cast<std::size_t>(N));
    for (Eigen::Index i = 0; i < d; ++i)
      for (Eigen::Index j = 0; j < d; ++j)
        image[static_cast<std::size_t>(i)] += RunningError(instance.w(i, j)) * RunningError(instance.w_e(z, j));
    for (int k = 0; k < N; ++k)
      for (Eigen::Index i = 0; i < d; ++i)
        logits[static_cast<std::size_t>(k)] += RunningError(instance.w_u(k, i)) * image[static_cast<std::size_t>(i)];
    all.push_back(softmax(logits));
  }
  return all;
}

using Coefficient = std::function<RunningError(int k, int z)>;

// sum_z sum_k c_kz w_U(k) w_E(z)^T, d x d.
std::vector<RunningError> outer_products(const Instance& instance, const Coefficient& coefficient) {
  const int N = instance.counts.N();
  const auto d = static_cast<std::size_t>(instance.w.rows());
  std::vector<RunningError> sum(d * d);
  for (int k = 0; k < N; ++k) {
    std::vector<RunningError> row(d);  // sum_z c_kz w_E(z)
    for (int z = 0; z < N; ++z) {
      const RunningError c = coefficient(k, z);
      for (std::size_t j = 0; j < d; ++j) row[j] += c * RunningError(instance.w_e(z, static_cast<Eigen::Index>(j)));
    }
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) sum[i * d + j] += RunningError(instance.w_u(k, static_cast<Eigen::Index>(i))) * row[j];
  }
  return sum;
}

std::vector<Entry> entries(const BigramLossGradient& measured, const std::vector<RunningError>& predicted) {
  std::vector<Entry> list;
  const Eigen::Index d = measured.value.rows();
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j) {
      const RunningError& p = predicted[static_cast<std::size_t>(i * d + j)];
      list.push_back(entry("dL/dW[" + std::to_string(i + 1) + "," + std::to_string(j + 1) + "]", p.value, measured.value(i, j),
                           Budget{measured.roundoff(i, j) + p.error, 0, 0}, true));
    }
  return list;
}

Row check(const ClaimContext& context, int d, double size) {
  const BigramCounts& counts = context.corpus;
  const int N = counts.N();
  const double unit = 1 / std::sqrt(static_cast<double>(d));
  const Instance instance{counts, random_matrix(N, d, unit, context.seed, 11), random_matrix(N, d, unit, context.seed, 12),
                          random_matrix(d, d, size, context.seed, 13)};
  const BigramLossGradient measured = bigram_loss_gradient(counts, instance.w_e, instance.w_u, instance.w);
  const auto hat = predictions(instance);
  const GapForm form{lemma1_coefficient(), "p_z", "phat_kz", "p_kz"};

  const std::function<RunningError(int)> p_z = [&](int z) {
    return ratio(counts.unigram[static_cast<std::size_t>(z)], counts.characters());
  };
  const Coefficient p_kz = [&](int k, int z) {
    return counts.row_total(z) > 0 ? ratio(counts.bigram[static_cast<std::size_t>(z * N + k)], counts.row_total(z)) : p_z(k);
  };
  const Coefficient p_hat = [&](int k, int z) { return hat[static_cast<std::size_t>(z)][static_cast<std::size_t>(k)]; };
  const RunningError uniform = ratio(1, N), zero;

  const Coefficient right = [&](int k, int z) { return form.at(p_z(z), p_hat(k, z), p_kz(k, z)); };
  const auto with = [&](const Coefficient& wrong) {
    return [&, wrong] { return entries(measured, outer_products(instance, wrong)); };
  };
  const std::vector<Control> controls = {
      {"sign", "descent instead of ascent", with([&](int k, int z) { return -right(k, z); })},
      {"factor 1.1", "every coefficient ten per cent too large", with([&](int k, int z) { return RunningError(1.1) * right(k, z); })},
      {"drop -p(k|z)", "the prediction without the data", with([&](int k, int z) { return form.at(p_z(z), p_hat(k, z), zero); })},
      {"p(z) uniform", "every token equally frequent", with([&](int k, int z) { return form.at(uniform, p_hat(k, z), p_kz(k, z)); })},
      {"p(z|k)", "the bigram law transposed", with([&](int k, int z) { return form.at(p_z(z), p_hat(k, z), p_kz(z, k)); })},
      {"phat at W = 0", "the prediction of the untrained model",
       with([&](int k, int z) { return form.at(p_z(z), uniform, p_kz(k, z)); })},
      {"indices swapped", "the coefficient of (z, k) on w_U(k) w_E(z)^T", with([&](int k, int z) { return right(z, k); })}};
  const std::vector<Entry> list = entries(measured, outer_products(instance, right));
  return judge("L1", "", "bigram law N=" + std::to_string(N) + " d=" + std::to_string(d) + " W~N(0," + (size > 2 ? "3" : "1") + "^2)",
               Grade::enumerated, list, default_effect(list), controls);
}

std::vector<Row> run(const ClaimContext& context) {
  const int d = context.d.value_or(12);
  if (d > 32)
    return {undecided("L1", "", "bigram law d=" + std::to_string(d), "d^2 forward passes of the whole law: more than a minute beyond d = 32",
                      "choose d of 32 or less; the statement does not depend on d")};
  return {timed([&] { return check(context, d, 1); }), timed([&] { return check(context, d, 3); })};
}

}  // namespace

Claim claim_l1() {
  return {"L1",
          "L(W) = E l(y, W_U W w_E(z)) has the gradient sum_z sum_k p(z)(phat_W(k|z) - p(k|z)) w_U(k) w_E(z)^T, at any W, for any "
          "embeddings; here on the unigram and bigram law of a real text.",
          {"cross-entropy loss", "p(z) and p(k|z) are the counts' own"},
          "Lemma 1 of the paper; docs/theory.md, section 4",
          closed_forms("L1"),
          run,
          {"d"}};
}

}  // namespace popgrad
