#include "numerics/training_gradient.hpp"

#include <algorithm>

namespace popgrad {

std::vector<Table> moving_tables(const TrainOptions& options, std::int64_t step) {
  std::vector<Table> moving;
  for (const Table table : options.trained())
    if (step >= options.freeze.at(table)) moving.push_back(table);
  return moving;
}

BatchGradient training_gradient(const TrainOptions& options, const FiniteModel& model, const SequenceSource& source,
                                std::int64_t step, const std::vector<Table>& tables) {
  const auto wanted = [&](Table table) { return std::ranges::find(tables, table) != tables.end(); };
  const std::int64_t batch = options.batch;
  return batch_gradient(model, source, source.training(), static_cast<std::uint64_t>(step * batch), batch,
                        {wanted(Table::tok), wanted(Table::pos), wanted(Table::out)});
}

}  // namespace popgrad
