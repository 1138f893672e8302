#include "theory/claims/first_batch.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "numerics/population_reference.hpp"
#include "numerics/training_gradient.hpp"
#include "theory/claims/first_gradient.hpp"
#include "theory/claims/gradient_slope.hpp"

namespace popgrad {
namespace {

TrainOptions with_other_law(TrainOptions options) {
  if (options.task == TaskKind::minimal) {
    options.minimal.background = options.minimal.background == Background::any ? Background::avoid : Background::any;
    return options;
  }
  options.bigram.outputs = options.bigram.outputs == Outputs::uniform ? Outputs::bigram : Outputs::uniform;
  options.bigram.distinct = false;  // not every bigram law allows o != q
  return options;
}

std::string other_law(const TrainOptions& other) {
  return other.task == TaskKind::minimal ? std::string("sequences with background = ") + name(other.minimal.background)
                                         : std::string("sequences with outputs = ") + name(other.bigram.outputs);
}

template <class Value>
std::vector<double> each(const GradientEvidence& evidence, Value value) {
  std::vector<double> values;
  for (const BlockEvidence& block : evidence.blocks) values.push_back(value(block));
  return values;
}

std::vector<CompareControl> controls(const RunFolder& run, const SequenceSource& source,
                                     const PopulationReference& reference, const PopulationReference::Both& both,
                                     double level) {
  const GradientEvidence& right = both.unbiased;
  const auto scaling = [&](const char* name, const char* changes, bool decisive, double s) {
    return judge_control(name, changes, decisive, right, right.scaled(s),
                         each(right, [s](const BlockEvidence& b) { return (s - 1) * b.reference_projection; }), level);
  };
  const double B = static_cast<double>(right.batch);
  std::vector<CompareControl> result = {scaling("sign", "-g_B", true, -1)};
  if (right.batch > 1) result.push_back(scaling("sum", "sum over sequences instead of mean, B g_B", true, B));
  result.push_back(scaling("factor", "1.1 g_B", false, 1.1));
  if (right.positions_error > 0 && right.batch_positions > 0)
    result.push_back(judge_control("pooled", "each g_B divided by its own number of loss positions", false, right,
                                   both.pooled, each(right, [](const BlockEvidence& b) { return b.pooled_bias; }), level));
  const TrainOptions other = with_other_law(run.options());
  const SequenceSource other_source(other, run.corpus());
  const GradientEvidence wrong = reference.evidence(other_source, source.training(), 0, right.minibatches).unbiased;
  // Where the other law lies, from a sample as large as the one it is compared with, after the minibatches of the control
  // itself.
  const auto next = static_cast<std::uint64_t>(right.batch * right.minibatches);
  const std::vector<double> there = reference.projections(other_source, source.training(), next, right.second_part);
  std::vector<double> shift = each(right, [](const BlockEvidence& b) { return -b.reference_projection; });
  for (std::size_t i = 0; i < shift.size(); ++i) shift[i] += there[i];
  result.push_back(judge_control("other law", other_law(other), false, right, wrong, shift, level));
  return result;
}

}  // namespace

CompareReport compare_first_batch(const RunFolder& run, const CompareOptions& options) {
  if (!(options.level > 0 && options.level < 1))
    throw InputError("level", fmt::format("{}", options.level), "a number in (0, 1)");
  if (options.groups < 2) throw InputError("groups", std::to_string(options.groups), "at least 2 reference batches");
  if (options.minibatches < 1) throw InputError("minibatches", std::to_string(options.minibatches), "at least 1");
  const SequenceSource source(run.options(), run.corpus());
  const FiniteModel theta0 = run.initial_model();
  const std::optional<FirstGradient> recorded = run.first_gradient();  // first: a damaged record costs no minute
  const BatchGradient again = training_gradient(run.options(), theta0, source, 0, moving_tables(run.options(), 0));
  const Row own = judge_first_gradient(run, theta0, source, recorded, again, options.program);
  BatchGradient used = batch_gradient(theta0, source, source.training(), 0, run.options().batch);
  std::vector<Map> moved;
  for (const Map map : {Map::wo2, Map::wk2, Map::wk1, Map::wf})
    if (run.options().freeze.at(map) == 0 && (map != Map::wf || theta0.feed_forward)) moved.push_back(map);
  const Row slope = judge_gradient_slope(theta0, source, moved, used, run.options().seed);
  if (recorded) {
    used.loss_positions = recorded->loss_positions;
    for (const Map map : moved) used.sum.at(map) = recorded->gradient.at(table_of(map)) * static_cast<double>(recorded->loss_positions);
  }
  const PopulationReference reference(theta0, source, run.options().batch, options.groups, options.progress);
  const GradientEvidence first = reference.evidence(source, source.training(), 0, 1, &used).unbiased;
  const auto stream = reference.evidence(source, source.training(), 0, options.minibatches, &used);
  return conclude({own, slope}, first, stream.unbiased, options.level, controls(run, source, reference, stream, options.level / 2));
}

}  // namespace popgrad
