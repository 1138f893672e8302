#include <string>

#include "core/errors.hpp"
#include "numerics/finite_model.hpp"
#include "numerics/softmax.hpp"

namespace popgrad {
namespace {

void require_shape(const Matrix& gradient, const char* table, const Matrix& of) {
  require(gradient.size() == 0 || (gradient.rows() == of.rows() && gradient.cols() == of.cols()), "add_gradient", table,
          "empty, or " + std::to_string(of.rows()) + " x " + std::to_string(of.cols()),
          std::to_string(gradient.rows()) + " x " + std::to_string(gradient.cols()));
}

}  // namespace

// Buffers are named d + the quantity whose gradient they hold; rows are positions (L) or targets (n), as in FiniteTrace.
double add_gradient(const FiniteModel& model, const Example& example, TrainedMaps& gradient, EmbeddingGradient* embeddings) {
  const int d = model.d();
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf})
    require(gradient.at(map).rows() == d && gradient.at(map).cols() == d, "add_gradient", name(map),
            "d x d with d = " + std::to_string(d),
            std::to_string(gradient.at(map).rows()) + " x " + std::to_string(gradient.at(map).cols()));
  if (embeddings != nullptr) {
    require_shape(embeddings->tok, "tok", model.frozen.tok);
    require_shape(embeddings->pos, "pos", model.frozen.pos);
    require_shape(embeddings->out, "out", model.frozen.out);
  }
  const FiniteTrace trace = forward(model, example);
  const Eigen::Index n = trace.x2.rows();
  if (n == 0) return 0;  // no loss position: the gradient is zero
  const FrozenMaps& frozen = model.frozen;
  const TrainedMaps& trained = model.trained;

  // Output: d loss / d logits = p - e_target; p_target - 1 is minus the sum of the others, which loses nothing near p = 1.
  Matrix dlogits = trace.probabilities;  // n x N
  Matrix queries(n, d);                  // x1 at the targets' positions
  for (Eigen::Index i = 0; i < n; ++i) {
    const Target& target = example.targets[static_cast<std::size_t>(i)];
    dlogits(i, target.token) = 0;
    dlogits(i, target.token) = -dlogits.row(i).sum();
    queries.row(i) = trace.x1.row(target.position);
  }
  const Matrix dx3 = dlogits * frozen.out;  // n x d
  Matrix dx2 = dx3;
  if (model.feed_forward) {
    gradient.wf.noalias() += dx3.transpose() * trace.x2;
    dx2.noalias() += dx3 * trained.wf;
  }

  // Second layer: x2 = q + W_O2 W_V2 v, v = sum_s a_s x1_s, a = softmax(kappa q^T W_K2 x1_s).
  gradient.wo2.noalias() += dx2.transpose() * (trace.value2 * frozen.wv2.transpose());
  const Matrix dvalue2 = dx2 * trained.wo2 * frozen.wv2;  // n x d
  Matrix dscores2 = dvalue2 * trace.x1.transpose();       // n x L
  softmax_backward(trace.attention2, dscores2);
  dscores2 *= model.score_scale;
  const Matrix dkeys2 = dscores2 * trace.x1;  // n x d, sum_s (d loss / d score_s) x1_s
  gradient.wk2.noalias() += queries.transpose() * dkeys2;
  const Matrix dqueries = dx2 + dkeys2 * trained.wk2.transpose();   // n x d
  Matrix dx1 = trace.attention2.transpose() * dvalue2;              // L x d, x1 as a value ...
  dx1.noalias() += dscores2.transpose() * (queries * trained.wk2);  // ... as a key ...
  for (Eigen::Index i = 0; i < n; ++i)
    dx1.row(example.targets[static_cast<std::size_t>(i)].position) += dqueries.row(i);  // ... and as a query

  // First layer: x1 = x + W_O1 W_V1 sum_s a_s x_s, a = softmax(kappa x^T W_K1 x_s).
  const Matrix dvalue1 = dx1 * frozen.wo1 * frozen.wv1;  // L x d
  Matrix dscores1 = dvalue1 * trace.x.transpose();       // L x L
  softmax_backward(trace.attention1, dscores1);
  dscores1 *= model.score_scale;
  const Matrix dkeys1 = dscores1 * trace.x;  // L x d, sum_s (d loss / d score_s) x_s
  gradient.wk1.noalias() += trace.x.transpose() * dkeys1;
  if (embeddings == nullptr) return trace.loss;

  if (embeddings->out.size() > 0) embeddings->out.noalias() += dlogits.transpose() * trace.x3;
  if (embeddings->tok.size() == 0 && embeddings->pos.size() == 0) return trace.loss;
  Matrix dx = dx1;                                                 // L x d, x in the residual stream ...
  dx.noalias() += trace.attention1.transpose() * dvalue1;          // ... as a value ...
  dx.noalias() += dscores1.transpose() * (trace.x * trained.wk1);  // ... as a key ...
  dx.noalias() += dkeys1 * trained.wk1.transpose();                // ... and as a query
  for (Eigen::Index t = 0; t < dx.rows(); ++t) {
    if (embeddings->tok.size() > 0) embeddings->tok.row(example.tokens[static_cast<std::size_t>(t)]) += dx.row(t);
    if (embeddings->pos.size() > 0) embeddings->pos.row(t) += dx.row(t);
  }
  return trace.loss;
}

}  // namespace popgrad
