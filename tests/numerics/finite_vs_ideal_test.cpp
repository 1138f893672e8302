// The finite-d model with exactly orthonormal embeddings IS the ideal model: logits and gradients agree to roundoff.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/numerics/oracle_instances.hpp"
#include "tests/oracle/autodiff.hpp"

using namespace popgrad;
using namespace popgrad::against_oracle;

namespace {

// A dense orthogonal matrix without rounding: reflections I - 2 v v^T with four entries +-1/2 in v keep all entries binary
// fractions with few bits. Three rounds on random groups of four coordinates: multiples of 1/8. d divisible by 4.
Matrix exact_orthogonal(Stream& stream, int d) {
  Matrix q = Matrix::Identity(d, d);
  std::vector<int> order(static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
    for (std::size_t group = 0; group < order.size(); group += 4) {
      Vector v = Vector::Zero(d);
      for (std::size_t i = 0; i < 4; ++i) v(order[group + i]) = stream.below(2) == 0 ? 0.5 : -0.5;
      q -= 2 * v * (v.transpose() * q).eval();
    }
  }
  return q;
}

// Multiples of 1/64 between -1 and 1: products with exact_orthogonal on both sides stay exact.
void fill_with_fractions(Stream& stream, std::vector<double>& entries) {
  for (double& entry : entries) entry = (static_cast<double>(stream.below(129)) - 64) / 64;
}

// The columns of `basis` in the order E, P, R, S, their images under W_V2, and w_U: 2 D + N of them, d in all.
struct Realization {
  IdealMaps<double> ideal;
  FiniteModel finite;
  Matrix residual;  // d x D, columns E P R S
  Matrix images;    // d x D, W_V2 times those
  Matrix outputs;   // d x N, w_U
};

Realization realize(Stream& stream, int N, int T, int d) {
  Realization r;
  r.ideal = IdealMaps<double>(N, T);
  fill_with_fractions(stream, r.ideal.wo);
  fill_with_fractions(stream, r.ideal.wk2);
  fill_with_fractions(stream, r.ideal.wk1);
  const int inputs = N + T, D = 2 * inputs;
  REQUIRE(d >= 2 * D + N);
  const Matrix basis = exact_orthogonal(stream, d);
  REQUIRE((basis * basis.transpose() == Matrix::Identity(d, d)));  // exactly
  r.residual = basis.leftCols(D);
  r.images = basis.middleCols(D, D);
  r.outputs = basis.middleCols(2 * D, N);
  const Matrix input = basis.leftCols(inputs), remapped = basis.middleCols(inputs, inputs);
  const Matrix between = exact_orthogonal(stream, d).leftCols(inputs);  // where W_V1 sends the inputs, any frame
  r.finite.frozen = {input.leftCols(N).transpose(), input.rightCols(T).transpose(), r.outputs.transpose(),
                     between * input.transpose(),   remapped * between.transpose(), r.images * r.residual.transpose()};
  Matrix wo(N, D), wk2(D, D), wk1(inputs, inputs);
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < D; ++i) wo(k, i) = r.ideal.u(k, i);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) wk2(i, j) = r.ideal.k2(i, j);
  for (int i = 0; i < inputs; ++i)
    for (int j = 0; j < inputs; ++j) wk1(i, j) = r.ideal.k1(i, j);
  r.finite.trained = {input * wk1 * input.transpose(), r.residual * wk2 * r.residual.transpose(),
                      r.outputs * wo * r.images.transpose(), Matrix::Zero(d, d)};
  return r;
}

// Roundoff of the finite route, from the oracle's own forward pass at the same parameters; the ideal route has fewer and
// shorter sums, all of whose terms are among those of the finite one.
double logit_bound(const FiniteModel& model, const std::vector<int>& tokens, std::size_t token) {
  const auto base = for_oracle(model);
  const auto logit = [&](const auto& theta) {
    return oracle::finite_forward(oracle::with_trained_entries(base, theta), tokens).logits.back()[token];
  };
  return oracle::agreement(oracle::value(logit, oracle::trained_entries(base)), model.d());
}

struct Size {
  int N, T, d;
};

}  // namespace

TEST_CASE("finite model on orthonormal embeddings has the logits of the ideal model") {
  for (const Size size : {Size{3, 4, 32}, Size{2, 5, 36}}) {
    Stream stream(1, Purpose::test, 300, static_cast<std::uint64_t>(size.d));
    const Realization r = realize(stream, size.N, size.T, size.d);
    for (int length = 1; length <= size.T; ++length) {
      const std::vector<int> tokens = random_tokens(stream, size.N, length);
      const FiniteTrace trace = forward(r.finite, {tokens, {{length - 1, 0}}});
      const std::vector<double> logits = ideal_logits(r.ideal, tokens);
      double spread = 0;
      for (std::size_t k = 0; k < logits.size(); ++k) {
        const double bound = logit_bound(r.finite, tokens, k);
        INFO("N " << size.N << " T " << size.T << " length " << length << " token " << k);
        CHECK(bound < 1e-6);
        CHECK(std::abs(trace.logits(0, static_cast<Eigen::Index>(k)) - logits[k]) <= bound);
        spread = std::max(spread, std::abs(logits[k] - logits[0]));
      }
      CHECK(spread > 0.01);
    }
  }
}

TEST_CASE("the agreement needs orthonormality: one embedding turned by three per cent changes the logits") {
  Stream stream(1, Purpose::test, 301);
  Realization r = realize(stream, 3, 4, 32);
  const std::vector<int> tokens = {0, 2, 1, 0};
  r.finite.frozen.tok.row(0) += 0.03 * r.finite.frozen.tok.row(1);
  const FiniteTrace trace = forward(r.finite, {tokens, {{3, 0}}});
  const std::vector<double> logits = ideal_logits(r.ideal, tokens);
  double worst = 0;
  for (std::size_t k = 0; k < 3; ++k)
    worst = std::max(worst, std::abs(trace.logits(0, static_cast<Eigen::Index>(k)) - logits[k]));
  CHECK(worst > 1e-4);
}

TEST_CASE("finite gradient seen through the orthonormal embeddings is the ideal gradient, block by block") {
  Stream stream(1, Purpose::test, 302);
  const int N = 2, T = 4, d = 28;
  const Realization r = realize(stream, N, T, d);
  const Example example{{1, 0, 0, 1}, {{3, 0}}};
  TrainedMaps gradient = TrainedMaps::zero(d);
  add_gradient(r.finite, example, gradient);
  IdealMaps<double> descent(N, T);
  add_descent(r.ideal, example, 1.0, Wanted{}, descent);

  // W = sum_ij c_ij a_i b_j^T gives dL/dc_ij = a_i^T (dL/dW) b_j.
  const int inputs = N + T, D = 2 * inputs;
  const Matrix input = r.residual.leftCols(inputs);
  const Matrix wo = r.outputs.transpose() * gradient.wo2 * r.images;
  const Matrix wk2 = r.residual.transpose() * gradient.wk2 * r.residual;
  const Matrix wk1 = input.transpose() * gradient.wk1 * input;

  // Roundoff of dL/dW entry by entry from the oracle, carried through a_i and b_j by magnitudes, d + 1 roundings each.
  const auto base = for_oracle(r.finite);
  const auto loss = [&](const auto& theta) {
    return oracle::finite_loss(oracle::with_trained_entries(base, theta), example.tokens, pairs(example.targets));
  };
  const auto theta = oracle::trained_entries(base);
  const auto carried = [&](std::size_t map, const Matrix& found, const Matrix& left, const Matrix& right) {
    Matrix error(d, d);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) {
        const auto at = static_cast<std::size_t>((static_cast<int>(map) * d + i) * d + j);
        error(i, j) =
            oracle::agreement(oracle::derivative(loss, theta, at), d) + 2 * (d + 1) * 0x1.0p-53 * std::abs(found(i, j));
      }
    return Matrix(left.cwiseAbs().transpose() * error * right.cwiseAbs());
  };
  const Matrix wk1_bound = carried(0, gradient.wk1, input, input);
  const Matrix wk2_bound = carried(1, gradient.wk2, r.residual, r.residual);
  const Matrix wo_bound = carried(2, gradient.wo2, r.outputs, r.images);
  const auto check = [](double bound, double found, double ideal) {
    CHECK(bound < 1e-5);  // the largest entry is above 1e-3
    CHECK(std::abs(found + ideal) <= bound);
  };
  double largest = 0;
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < D; ++i) check(wo_bound(k, i), wo(k, i), descent.u(k, i));
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) check(wk2_bound(i, j), wk2(i, j), descent.k2(i, j));
  for (int i = 0; i < inputs; ++i)
    for (int j = 0; j < inputs; ++j) {
      check(wk1_bound(i, j), wk1(i, j), descent.k1(i, j));
      largest = std::max(largest, std::abs(wk1(i, j)));
    }
  CHECK(largest > 1e-3);
}
