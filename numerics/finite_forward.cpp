#include <string>

#include "core/errors.hpp"
#include "numerics/finite_model.hpp"
#include "numerics/softmax.hpp"

namespace popgrad {
namespace {

void require_index(const char* argument, int index, int size) {
  require(0 <= index && index < size, "forward", argument, "0.." + std::to_string(size - 1), std::to_string(index));
}

void validate(const FiniteModel& model, const Example& example) {
  model.validate();
  const int L = static_cast<int>(example.tokens.size());
  require(1 <= L && L <= model.T(), "forward", "tokens", "1.." + std::to_string(model.T()) + " tokens",
          std::to_string(L) + " tokens");
  for (const int token : example.tokens) require_index("token", token, model.N());
  for (const Target& target : example.targets) {
    require_index("target position", target.position, L);
    require_index("target token", target.token, model.N());
  }
}

}  // namespace

FiniteTrace forward(const FiniteModel& model, const Example& example) {
  validate(model, example);
  const FrozenMaps& frozen = model.frozen;
  const TrainedMaps& trained = model.trained;
  const Eigen::Index L = static_cast<Eigen::Index>(example.tokens.size());
  const Eigen::Index n = static_cast<Eigen::Index>(example.targets.size());
  const Eigen::Index d = model.d();

  FiniteTrace trace;
  trace.x.resize(L, d);
  for (Eigen::Index t = 0; t < L; ++t)
    trace.x.row(t) = frozen.tok.row(example.tokens[static_cast<std::size_t>(t)]) + frozen.pos.row(t);

  // Layer 1, at every position: the second layer attends to all of them.
  trace.attention1 = model.score_scale * ((trace.x * trained.wk1) * trace.x.transpose());
  for (Eigen::Index t = 0; t < L; ++t) softmax_prefix(trace.attention1, t, t + 1);
  trace.x1 = trace.x + trace.attention1 * trace.x * frozen.wv1.transpose() * frozen.wo1.transpose();

  // Layer 2, only where a prediction is made.
  Matrix queries(n, d);
  for (Eigen::Index i = 0; i < n; ++i) queries.row(i) = trace.x1.row(example.targets[static_cast<std::size_t>(i)].position);
  trace.attention2 = model.score_scale * ((queries * trained.wk2) * trace.x1.transpose());
  for (Eigen::Index i = 0; i < n; ++i)
    softmax_prefix(trace.attention2, i, example.targets[static_cast<std::size_t>(i)].position + 1);
  trace.value2 = trace.attention2 * trace.x1;
  trace.x2 = queries + trace.value2 * frozen.wv2.transpose() * trained.wo2.transpose();
  trace.x3 = trace.x2;
  if (model.feed_forward) trace.x3 += trace.x2 * trained.wf.transpose();

  trace.logits = trace.x3 * frozen.out.transpose();
  trace.probabilities = trace.logits;
  for (Eigen::Index i = 0; i < n; ++i) {
    // log-sum-exp minus logit rather than -log p: p may underflow to 0 where the loss is some hundreds of nats.
    trace.loss += log_sum_exp(trace.logits.row(i)) - trace.logits(i, example.targets[static_cast<std::size_t>(i)].token);
    softmax_prefix(trace.probabilities, i, trace.probabilities.cols());
  }
  return trace;
}

}  // namespace popgrad
