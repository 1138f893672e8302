#include "core/ordered_sum.hpp"
#include "numerics/probes.hpp"
#include "numerics/recall.hpp"

namespace popgrad {
namespace {

struct EvaluationSums {
  RecallSums recall;
  double loss = 0;
  EvaluationSums& operator+=(const EvaluationSums& other) {
    recall += other.recall;
    loss += other.loss;
    return *this;
  }
};

void add_example(const FiniteModel& model, const Example& example, EvaluationSums& sums) {
  if (example.targets.empty()) return;
  const FiniteTrace trace = forward(model, example);
  // Ties are judged by the roundoff of the last product alone: equal rows of W_U must tie, whatever x3 is.
  const Matrix roundoff = BoundedProduct(trace.x3).times(model.frozen.out.transpose()).roundoff();
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    sums.recall.add(trace.logits.row(row).data(), roundoff.row(row).data(), model.N(), example.targets[i].token);
  }
  sums.loss += trace.loss;
}

}  // namespace

Evaluation evaluate(const FiniteModel& model, const std::vector<Example>& examples) {
  model.validate();
  const EvaluationSums sums = ordered_sum(
      static_cast<std::int64_t>(examples.size()), 8, EvaluationSums{},
      [&](std::int64_t i, EvaluationSums& partial) { add_example(model, examples[static_cast<std::size_t>(i)], partial); });
  return {sums.recall.finish(), sums.loss};
}

}  // namespace popgrad
