#include "numerics/gate_decay.hpp"

#include <cmath>
#include <string>

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

struct Weighted {
  Example example;
  double probability;
};

std::vector<Weighted> all_sequences(const MinimalTask& task) {
  const MinimalEnumeration all(task);
  std::vector<Weighted> sequences(static_cast<std::size_t>(all.size()));
  for (std::int64_t index = 0; index < all.size(); ++index) {
    Weighted& one = sequences[static_cast<std::size_t>(index)];
    std::int64_t numerator = 0;
    all.build(index, one.example, numerator);
    one.probability = static_cast<double>(numerator);
    for (const std::int64_t factor : all.denominator_factors(static_cast<int>(one.example.tokens.size())))
      one.probability /= static_cast<double>(factor);
  }
  return sequences;
}

// Adds weight * dl/dW_K1 of one sequence to the coefficients of v v'^T. logits (1 x N) and score (T) are scratch space: allocating
// them for every sequence was a quarter of the time.
void add_coefficients(const ReadOut& read, const Example& example, double weight, Matrix& logits, Vector& score,
                      Matrix& coefficients) {
  const Eigen::Index N = read.direct.rows();
  const auto length = static_cast<Eigen::Index>(example.tokens.size());
  const auto token = [&](Eigen::Index s) { return static_cast<Eigen::Index>(example.tokens[static_cast<std::size_t>(s)]); };
  const double attention = 1 / static_cast<double>(length);  // W_K1 = 0
  logits.row(0) = (read.direct.col(token(length - 1)) + read.direct.col(N + length - 1)).transpose();
  for (Eigen::Index s = 0; s < length; ++s)
    logits.row(0) += attention * (read.remapped.col(token(s)) + read.remapped.col(N + s)).transpose();
  softmax_prefix(logits, 0, N);
  logits(0, example.targets[0].token) -= 1;  // now p_hat - e_y
  for (Eigen::Index s = 0; s < length; ++s)  // dl/d(attention on s)
    score(s) = logits.row(0).dot(read.remapped.col(token(s)) + read.remapped.col(N + s));
  const double mean = score.head(length).mean();
  for (Eigen::Index s = 0; s < length; ++s)
    for (const Eigen::Index query : {token(length - 1), N + length - 1})
      for (const Eigen::Index key : {token(s), N + s}) coefficients(query, key) += weight * attention * (score(s) - mean);
}

double gradient_squared(const ReadOut& read, const std::vector<Weighted>& sequences, double score_scale) {
  Matrix coefficients = Matrix::Zero(read.gram.rows(), read.gram.rows()), logits(1, read.direct.rows());
  Vector score(read.gram.rows());
  for (const Weighted& one : sequences)
    add_coefficients(read, one.example, one.probability * score_scale, logits, score, coefficients);
  // ||sum_ab C_ab v_a v_b^T||_F^2 = tr(C^T Gram C Gram).
  return (read.gram * coefficients * read.gram).cwiseProduct(coefficients).sum();
}

Matrix normals(Eigen::Index rows, Eigen::Index columns, Stream& stream) {
  Matrix table(rows, columns);
  for (Eigen::Index i = 0; i < table.size(); ++i) table.data()[i] = stream.normal();
  return table;
}

Matrix cholesky(const Matrix& gram) { return Eigen::LLT<Matrix>(gram).matrixL(); }

// A read-out with the law of gate_model's. For G with N(0, 1/d) entries and fixed rows X, X G has the law of
// chol(X X^T) Z / sqrt(d), Z normal: applied to X = W_U, G = W_O1, then to (W_U W_O1) W_V1 V^T from both sides.
ReadOut draw_read_out(const MinimalTask& task, int d, Stream& stream, double remap_power) {
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  const Matrix out = scale * normals(task.N, d, stream), dictionary = scale * normals(task.N + task.T, d, stream);
  const Matrix moved_out = scale * (cholesky(out * out.transpose()) * normals(task.N, d, stream));
  Matrix gram = dictionary * dictionary.transpose();
  Matrix remapped = std::pow(d, -remap_power) * scale *
                    (cholesky(moved_out * moved_out.transpose()) * normals(task.N, task.N + task.T, stream) * cholesky(gram).transpose());
  return {out * dictionary.transpose(), std::move(remapped), std::move(gram)};
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
  Matrix dictionary(task.N + task.T, model.d()), moved(task.N + task.T, model.d());
  dictionary << model.frozen.tok, model.frozen.pos;
  moved << model.remapped_tokens(), model.remapped_positions();
  const Matrix& out = model.frozen.out;
  return gradient_squared({out * dictionary.transpose(), out * moved.transpose(), dictionary * dictionary.transpose()},
                          all_sequences(task), model.score_scale);
}

Moments sample_first_key_gradient(const MinimalTask& task, int d, std::int64_t draws, std::uint64_t seed, double remap_power) {
  require(d >= task.N + task.T, "sample_first_key_gradient", "d", "at least N + T = " + std::to_string(task.N + task.T),
          std::to_string(d));
  const std::vector<Weighted> sequences = all_sequences(task);
  return ordered_sum(draws, 8, Moments{}, [&](std::int64_t draw, Moments& total) {
    Stream stream(seed, Purpose::embeddings, static_cast<std::uint64_t>(draw), static_cast<std::uint64_t>(d));
    total.add(gradient_squared(draw_read_out(task, d, stream, remap_power), sequences, 1));
  });
}

}  // namespace popgrad
