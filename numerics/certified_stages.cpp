#include "numerics/certified_stages.hpp"

#include <algorithm>
#include <array>

#include "core/errors.hpp"

namespace popgrad {
namespace {

Certainty sign(const Interval& x) {
  return certainly_positive(x) ? Certainty::yes : certainly_not_positive(x) ? Certainty::no : Certainty::undecided;
}

// t from 0 here.
CertifiedRow judge_row(const std::vector<Interval>& matrix, int T, int t) {
  const auto entry = [&](int s) { return matrix[static_cast<std::size_t>(t * T + s)]; };
  // min over s of (t, t-1) - (t, s): the minimum of the lower and of the upper ends.
  Interval margin = entry(t - 1) - entry(t);
  for (int s = 0; s < t - 1; ++s) {
    const Interval difference = entry(t - 1) - entry(s);
    margin = Interval(std::min(margin.lower(), difference.lower()), std::min(margin.upper(), difference.upper()));
  }
  return {t + 1, sign(margin), margin};
}

Certainty all(const std::vector<CertifiedRow>& rows) {
  Certainty certainty = Certainty::yes;
  for (const CertifiedRow& row : rows) {
    if (row.recalled == Certainty::no) return Certainty::no;
    if (row.recalled == Certainty::undecided) certainty = Certainty::undecided;
  }
  return certainty;
}

}  // namespace

const char* name(Certainty certainty) {
  return certainty == Certainty::yes ? "yes" : certainty == Certainty::no ? "no" : "undecided";
}

CertifiedStage certify_stage(int stage, InvariantMaps<Interval> descent) {
  require(stage >= 1 && stage <= stages, "certify_stage", "stage", "1, 2 or 3", std::to_string(stage));
  CertifiedStage result;
  result.stage = stage;
  result.descent = std::move(descent);
  if (stage == 3) {
    for (int t = 1; t < result.descent.T - 1; ++t)
      result.rows.push_back(judge_row(result.descent.k1(Block::P, Block::P).entries, result.descent.T, t));
    result.positive = all(result.rows);
  } else {
    result.signal = stage == 1 ? result.descent.u(Block::E).contrast() : result.descent.k2(Block::E, Block::R).contrast();
    result.positive = sign(result.signal);
  }
  return result;
}

std::vector<CertifiedStage> certified_stages(const MinimalTask& task, Handoff handoff, Blocks blocks,
                                             const StageSizes& sizes) {
  task.validate();
  const std::array<double, 2> size = {sizes.first, sizes.second};
  InvariantMaps<Interval> start(task.N, task.T);
  std::vector<CertifiedStage> list;
  for (int stage = 1; stage <= stages; ++stage) {
    if (handoff == Handoff::ideal) start = certified_start(task, handoff, blocks, stage, sizes);
    list.push_back(certify_stage(stage, certified_descent(task, start, {stage == 1, stage == 2, stage == 3})));
    if (handoff == Handoff::ideal || stage == stages) continue;
    const InvariantMaps<Interval>& step = list.back().descent;
    start.add(size[static_cast<std::size_t>(stage - 1)], blocks == Blocks::isolated ? isolate(step, stage) : step);
  }
  return list;
}

}  // namespace popgrad
