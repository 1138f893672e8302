#include "numerics/training_gradient.hpp"

#include <algorithm>

#include "numerics/fast_batch.hpp"

namespace popgrad {

std::vector<Table> moving_tables(const TrainOptions& options, std::int64_t step) {
  std::vector<Table> moving;
  for (const Table table : options.trained())
    if (step >= options.freeze.at(table)) moving.push_back(table);
  return moving;
}

TrainingPass::TrainingPass(const TrainOptions& options, const FiniteModel& model)
    : batch_(options.batch),
      fast_(options.kernel_in_force() == KernelKind::fast ? std::make_unique<FastBatch>(model) : nullptr) {}
TrainingPass::~TrainingPass() = default;
TrainingPass::TrainingPass(TrainingPass&&) noexcept = default;

BatchGradient TrainingPass::gradient(const FiniteModel& model, const SequenceSource& source, std::int64_t step,
                                     const std::vector<Table>& tables) const {
  const auto wanted = [&](Table table) { return std::ranges::find(tables, table) != tables.end(); };
  const auto first = static_cast<std::uint64_t>(step * batch_);
  if (!fast_)
    return batch_gradient(model, source, source.training(), first, batch_,
                          {wanted(Table::tok), wanted(Table::pos), wanted(Table::out)});
  std::vector<Map> maps;
  for (const Table table : tables)
    if (const auto map = map_of(table)) maps.push_back(*map);
  fast_->set(model.trained);
  return fast_->gradient(source, source.training(), first, batch_, maps);
}

Evaluation TrainingPass::evaluate(const FiniteModel& model, const std::vector<Example>& examples) const {
  if (!fast_) return popgrad::evaluate(model, examples);
  fast_->set(model.trained);
  return fast_->evaluate(examples);
}

BatchGradient training_gradient(const TrainOptions& options, const FiniteModel& model, const SequenceSource& source,
                                std::int64_t step, const std::vector<Table>& tables) {
  return TrainingPass(options, model).gradient(model, source, step, tables);
}

}  // namespace popgrad
