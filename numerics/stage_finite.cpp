#include "numerics/stage_finite.hpp"

#include <string>

#include "core/errors.hpp"
#include "core/philox.hpp"
#include "numerics/dictionary.hpp"
#include "numerics/initialization.hpp"
#include "numerics/stage_finite_gradient.hpp"

namespace popgrad {
namespace {

Coordinates shape_of(const FiniteModel& model) { return {model.N(), model.T()}; }

// What is left of G when only one block of its dictionary coefficients is kept.
Matrix only_block(const FiniteModel& model, Map map, const Matrix& G, const std::string& block) {
  const DictionaryBlock at = dictionary_block(map, shape_of(model), block);
  const Matrix kept = block_of(coefficients(model, map, G), at);
  return left_dictionary(model, map).middleRows(at.first_row, at.rows).transpose() * kept *
         right_dictionary(model, map).middleRows(at.first_column, at.columns);
}

Matrix step(const FiniteModel& model, const MinimalTask& task, Map map, Blocks blocks, const std::string& memory) {
  const Matrix descent = finite_descent(model, task, map);
  return blocks == Blocks::full ? descent : only_block(model, map, descent, memory);
}

BlockSummary<double> summarize(const Matrix& entries, const std::string& block) {
  BlockSummary<double> summary;
  summary.name = block;
  summary.invariant = false;
  const auto token = [&](std::size_t side) { return block[side] != 'P' && block[side] != 'S'; };  // "E,R": sides 0 and 2
  if (token(0) && token(2)) {
    const auto n = static_cast<double>(entries.rows());
    summary.diag = entries.trace() / n;
    summary.off = (entries.sum() - entries.trace()) / (n * (n - 1));
    return summary;
  }
  summary.kind = token(0) || token(2) ? BlockKind::token_position : BlockKind::position_position;
  Matrix rows = entries;
  if (token(0)) rows = entries.colwise().mean();
  if (token(2)) rows = entries.rowwise().mean();
  summary.entries.assign(rows.data(), rows.data() + rows.size());
  return summary;
}

}  // namespace

void set_stage_start(FiniteModel& model, const MinimalTask& task, Handoff handoff, Blocks blocks, int stage,
                     const StageSizes& sizes) {
  require(stage >= 1 && stage <= stages, "set_stage_start", "stage", "1, 2 or 3", std::to_string(stage));
  require(model.N() == task.N && model.T() == task.T, "set_stage_start", "model", "of the task's N and T",
          "N=" + std::to_string(model.N()) + " T=" + std::to_string(model.T()));
  model.trained = TrainedMaps::zero(model.d());
  const bool ideal = handoff == Handoff::ideal;
  if (stage >= 2)
    model.trained.wo2 =
        sizes.first * (ideal ? Matrix(model.frozen.out.transpose() * model.frozen.tok * model.frozen.wv2.transpose())
                             : step(model, task, Map::wo2, blocks, "U,E"));
  if (stage >= 3)
    model.trained.wk2 = sizes.second * (ideal ? Matrix(model.frozen.tok.transpose() * model.remapped_tokens())
                                              : step(model, task, Map::wk2, blocks, "E,R"));
}

std::vector<BlockSummary<double>> finite_stage_blocks(const FiniteModel& model, const MinimalTask& task, Map map) {
  const Matrix c = coefficients(model, map, finite_descent(model, task, map));
  std::vector<BlockSummary<double>> blocks;
  for (const DictionaryBlock& at : dictionary_blocks(map, shape_of(model)))
    blocks.push_back(summarize(block_of(c, at), at.name));
  return blocks;
}

std::vector<BlockMoments> sample_finite_stage(const FiniteStage& stage, const std::function<void(std::int64_t)>& progress) {
  require(stage.draws >= 2, "sample_finite_stage", "draws", "at least 2: one draw has no spread",
          std::to_string(stage.draws));
  require(stage.map != Map::wf, "sample_finite_stage", "map", "wo2, wk2 or wk1", name(stage.map));
  ModelOptions options;
  options.N = stage.task.N;
  options.T = stage.task.T;
  options.d = stage.d;
  std::vector<BlockMoments> total;
  for (std::int64_t draw = 0; draw < stage.draws; ++draw) {
    // One seed a draw: make_model numbers its streams by table, not by draw.
    FiniteModel model = make_model(options, Stream(stage.seed, Purpose::embeddings, static_cast<std::uint64_t>(draw),
                                                   static_cast<std::uint64_t>(stage.d))
                                                .bits());
    set_stage_start(model, stage.task, stage.handoff, stage.blocks, stage.stage, stage.sizes);
    const std::vector<BlockSummary<double>> blocks = finite_stage_blocks(model, stage.task, stage.map);
    total.resize(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const BlockSummary<double>& from = blocks[b];
      BlockMoments& into = total[b];
      into.name = from.name;
      into.kind = from.kind;
      into.diag.add(from.diag);
      into.off.add(from.off);
      into.contrast.add(from.diag - from.off);
      into.entries.resize(from.entries.size());
      for (std::size_t i = 0; i < from.entries.size(); ++i) into.entries[i].add(from.entries[i]);
    }
    if (progress) progress(draw + 1);
  }
  return total;
}

}  // namespace popgrad
