#include "numerics/batch_gradient.hpp"

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/model_tables.hpp"

namespace popgrad {
namespace {

// Sequences added up by one thread without a pause. Small enough to share 32 sequences among 7 threads, large enough that
// adding the d x d accumulators costs little beside the sequences. Part of the results: another size gives other bits.
constexpr std::int64_t block = 4;

}  // namespace

BatchGradient& BatchGradient::operator+=(const BatchGradient& other) {
  sum += other.sum;
  embeddings += other.embeddings;
  loss_sum += other.loss_sum;
  sequences += other.sequences;
  loss_positions += other.loss_positions;
  cycles += other.cycles;
  return *this;
}

double BatchGradient::mean_loss() const { return empty() ? 0 : loss_sum / static_cast<double>(loss_positions); }

TrainedMaps BatchGradient::mean() const {
  TrainedMaps result = sum;
  const double scale = empty() ? 0 : 1 / static_cast<double>(loss_positions);
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) result.at(map) *= scale;
  return result;
}

Matrix BatchGradient::mean(Table table) const {
  const double scale = empty() ? 0 : 1 / static_cast<double>(loss_positions);
  if (const auto map = map_of(table)) return sum.at(*map) * scale;
  switch (table) {
    case Table::tok:
      return embeddings.tok * scale;
    case Table::pos:
      return embeddings.pos * scale;
    case Table::out:
      return embeddings.out * scale;
    default:
      return {};
  }
}

BatchGradient batch_gradient(const FiniteModel& model, const SequenceSource& source, Purpose purpose, std::uint64_t first,
                             std::int64_t count, const Learned& learned) {
  require(count >= 1, "batch_gradient", "count", "at least 1", std::to_string(count));
  BatchGradient zero;
  zero.sum = TrainedMaps::zero(model.d());
  const FrozenMaps& tables = model.frozen;
  if (learned.tok) zero.embeddings.tok = Matrix::Zero(tables.tok.rows(), tables.tok.cols());
  if (learned.pos) zero.embeddings.pos = Matrix::Zero(tables.pos.rows(), tables.pos.cols());
  if (learned.out) zero.embeddings.out = Matrix::Zero(tables.out.rows(), tables.out.cols());
  return ordered_sum(count, block, zero, [&](std::int64_t i, BatchGradient& partial) {
    const Sequence sequence = source.draw(purpose, first + static_cast<std::uint64_t>(i));
    partial.sequences += 1;
    partial.cycles += sequence.cycle ? 1 : 0;
    partial.loss_positions += static_cast<std::int64_t>(sequence.example.targets.size());
    if (!sequence.example.targets.empty())
      partial.loss_sum += add_gradient(model, sequence.example, partial.sum, learned.any() ? &partial.embeddings : nullptr);
  });
}

}  // namespace popgrad
