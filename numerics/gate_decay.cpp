#include "numerics/gate_decay.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "core/philox.hpp"
#include "numerics/initialization.hpp"
#include "numerics/minimal_enumeration.hpp"
#include "numerics/softmax.hpp"

namespace popgrad {
namespace {

// Read-outs of the N + T dictionary vectors v (tokens, then positions): W_U v, W_U W_O1 W_V1 v and v . v'.
struct ReadOut {
  Matrix direct;    // N x (N+T)
  Matrix remapped;  // N x (N+T)
  Matrix gram;      // (N+T) x (N+T)
};

ReadOut read_out(const FiniteModel& model) {
  const int N = model.N(), T = model.T();
  Matrix dictionary(N + T, model.d());
  dictionary << model.frozen.tok, model.frozen.pos;
  Matrix moved(N + T, model.d());
  moved << model.remapped_tokens(), model.remapped_positions();
  return {model.frozen.out * dictionary.transpose(), model.frozen.out * moved.transpose(), dictionary * dictionary.transpose()};
}

// Adds weight * dl/dW_K1 of one sequence to the coefficients of v v'^T. uniform: with p_hat = 1/N.
void add_coefficients(const ReadOut& read, const Example& example, double weight, double score_scale, bool uniform,
                      Matrix& coefficients) {
  const Eigen::Index N = read.direct.rows();
  const auto length = static_cast<Eigen::Index>(example.tokens.size());
  const auto token = [&](Eigen::Index s) { return static_cast<Eigen::Index>(example.tokens[static_cast<std::size_t>(s)]); };
  const double attention = 1 / static_cast<double>(length);  // W_K1 = 0
  Matrix logits = (read.direct.col(token(length - 1)) + read.direct.col(N + length - 1)).transpose();
  for (Eigen::Index s = 0; s < length; ++s)
    logits.row(0) += attention * (read.remapped.col(token(s)) + read.remapped.col(N + s)).transpose();
  if (uniform) logits.setZero();
  softmax_prefix(logits, 0, N);
  logits(0, example.targets[0].token) -= 1;  // now p_hat - e_y
  Vector score(length);                      // dl/d(attention on s)
  for (Eigen::Index s = 0; s < length; ++s)
    score(s) = logits.row(0).dot(read.remapped.col(token(s)) + read.remapped.col(N + s));
  score = (weight * score_scale * attention * (score.array() - score.mean())).matrix();
  for (Eigen::Index s = 0; s < length; ++s)
    for (const Eigen::Index query : {token(length - 1), N + length - 1})
      for (const Eigen::Index key : {token(s), N + s}) coefficients(query, key) += score(s);
}

Matrix population_coefficients(const ReadOut& read, const MinimalTask& task, double score_scale, bool uniform) {
  const MinimalEnumeration all(task);
  Matrix coefficients = Matrix::Zero(task.N + task.T, task.N + task.T);
  Example example;
  for (std::int64_t index = 0; index < all.size(); ++index) {
    std::int64_t numerator = 0;
    all.build(index, example, numerator);
    double weight = static_cast<double>(numerator);
    for (const std::int64_t factor : all.denominator_factors(static_cast<int>(example.tokens.size())))
      weight /= static_cast<double>(factor);
    add_coefficients(read, example, weight, score_scale, uniform, coefficients);
  }
  return coefficients;
}

}  // namespace

FiniteModel gate_model(const MinimalTask& task, int d, std::uint64_t seed, std::uint64_t draw, bool second_layer) {
  ModelOptions options;
  options.N = task.N;
  options.T = task.T;
  options.d = d;
  options.wk2 = options.wv2 = {second_layer ? Init::gaussian : Init::zero, {}};
  // One seed a draw: make_model numbers its streams by table, not by draw.
  return make_model(options, Stream(seed, Purpose::embeddings, draw, static_cast<std::uint64_t>(d)).bits());
}

double first_key_gradient_squared(const FiniteModel& model, const MinimalTask& task) {
  require(model.trained.wo2.isZero(0) && model.trained.wk1.isZero(0) && !model.feed_forward, "first_key_gradient_squared",
          "model", "with W_O2 = W_K1 = 0 and no feed-forward layer", "another");
  const ReadOut read = read_out(model);
  const Matrix coefficients = population_coefficients(read, task, model.score_scale, false);
  // ||sum_ab C_ab v_a v_b^T||_F^2 = tr(C^T Gram C Gram).
  return (read.gram * coefficients * read.gram).cwiseProduct(coefficients).sum();
}

double leading_constant(const MinimalTask& task) {
  const int size = task.N + task.T;
  double sum = 0;
  for (int k = 0; k < task.N; ++k)
    for (int v = 0; v < size; ++v) {
      ReadOut unit{Matrix::Zero(task.N, size), Matrix::Zero(task.N, size), Matrix::Identity(size, size)};
      unit.remapped(k, v) = 1;
      sum += population_coefficients(unit, task, 1, true).squaredNorm();
    }
  return sum;
}

Moments sample_first_key_gradient(const MinimalTask& task, int d, std::int64_t draws, std::uint64_t seed, double remap_power) {
  return ordered_sum(draws, 1, Moments{}, [&](std::int64_t draw, Moments& total) {
    FiniteModel model = gate_model(task, d, seed, static_cast<std::uint64_t>(draw), false);
    model.frozen.wv1 *= std::pow(d, -remap_power);
    total.add(first_key_gradient_squared(model, task));
  });
}

}  // namespace popgrad
