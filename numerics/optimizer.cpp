#include "numerics/optimizer.hpp"

#include "numerics/adamw.hpp"
#include "numerics/sgd.hpp"

namespace popgrad {

OptimizerMemory no_memory(OptimizerKind kind, const Matrix& theta) {
  const Matrix none = Matrix::Zero(theta.rows(), theta.cols());
  return {none, kind == OptimizerKind::adamw ? none : Matrix(), 0};
}

void optimizer_step(const TrainOptions& options, double rate, const Matrix& gradient, OptimizerMemory& memory, Matrix& theta) {
  if (options.optimizer == OptimizerKind::adamw) {
    adamw_step({options.beta1, options.beta2, options.epsilon, options.weight_decay}, rate, gradient, memory.first,
               memory.second, memory.updates, theta);
    return;
  }
  sgd_step({options.momentum, options.weight_decay}, rate, gradient, memory.first, theta);
  ++memory.updates;
}

}  // namespace popgrad
