#include "theory/claims/first_gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace popgrad {
namespace {

constexpr const char* title = "the run's own first gradient";

struct Prediction {
  TrainedMaps gradient;
  double loss = 0, positions = 0;
};

Prediction of(const BatchGradient& batch) {
  return {batch.mean(), batch.mean_loss(), static_cast<double>(batch.loss_positions)};
}

std::vector<Entry> entries(const Prediction& predicted, const FirstGradient& recorded) {
  std::vector<Entry> list;
  for (const Map map : recorded.moved) {
    const Matrix &p = predicted.gradient.at(map), &m = recorded.gradient.at(map);
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j)
        list.push_back(entry(fmt::format("{} row {}, column {}", name(map), i + 1, j + 1), p(i, j), m(i, j), {}));
  }
  list.push_back(entry("loss", predicted.loss, recorded.loss, {}));
  list.push_back(entry("loss positions", predicted.positions, static_cast<double>(recorded.loss_positions), {}));
  return list;
}

std::string maps_of(const FirstGradient& recorded, bool feed_forward) {
  std::string moved, frozen;
  for (const Map map : {Map::wo2, Map::wk2, Map::wk1, Map::wf}) {
    if (map == Map::wf && !feed_forward) continue;
    std::string& list = std::ranges::find(recorded.moved, map) != recorded.moved.end() ? moved : frozen;
    list += (list.empty() ? "" : ", ") + std::string(name(map));
  }
  return moved + (frozen.empty() ? "" : "; frozen in update 1, nothing recorded: " + frozen);
}

}  // namespace

Row judge_first_gradient(const RunFolder& run, const FiniteModel& theta0, const SequenceSource& source,
                         const std::optional<FirstGradient>& recorded, const BatchGradient& again) {
  if (!recorded)
    return undecided(title, "", "", "not recorded: the run has made no update yet, or an earlier version of popgrad made it",
                     "train again: the first update then leaves first_gradient.safetensors in the run folder");
  const std::string maps = maps_of(*recorded, theta0.feed_forward);
  if (recorded->moved.empty())
    return undecided(title, "", maps, "every map was frozen in update 1: the run used no gradient",
                     "train with one of freeze.wo2, freeze.wk2, freeze.wk1 at 0");
  const Prediction right = of(again);
  const auto changed = [&](auto change) {
    Prediction wrong = right;
    for (const Map map : recorded->moved) change(map, wrong.gradient.at(map));
    return entries(wrong, *recorded);
  };
  const auto scaled = [&](double s) { return changed([s](Map, Matrix& g) { g *= s; }); };
  std::vector<Control> controls = {
      {"second minibatch", "the gradient of sequences B .. 2B - 1",
       [&] {
         const std::int64_t B = again.sequences;
         return entries(of(batch_gradient(theta0, source, source.training(), static_cast<std::uint64_t>(B), B)), *recorded);
       }},
      {"sign", "-g", [&] { return scaled(-1); }},
      {"doubled", "2 g", [&] { return scaled(2); }},
      {"one entry", "the first entry of one map replaced by the next larger double", [&] {
         Prediction wrong = right;
         double& entry = wrong.gradient.at(recorded->moved.front())(0, 0);
         entry = std::nextafter(entry, std::numeric_limits<double>::infinity());
         return entries(wrong, *recorded);
       }}};
  if (std::ranges::any_of(recorded->moved, [&](Map map) { return !theta0.trained.at(map).isZero(0); })) {
    const double decay = run.options().weight_decay > 0 ? run.options().weight_decay : 1e-4;
    controls.push_back({"weight decay", fmt::format("g + {} theta_0", decay),
                        [&, decay] { return changed([&](Map map, Matrix& g) { g += decay * theta0.trained.at(map); }); }});
  }
  if (again.loss_positions > 1)
    controls.push_back({"sum", "sum over the loss positions instead of their mean",
                        [&] { return scaled(static_cast<double>(again.loss_positions)); }});
  Row row =
      judge(title, "", maps, Grade::exact, entries(right, *recorded), 0, controls, "look at the gradient: is it zero?");
  if (row.verdict == Verdict::verified)
    row.reason = fmt::format("{} recorded numbers equal those computed again, with no allowance for rounding",
                             row.comparison.entries);
  if (row.verdict == Verdict::refuted) {
    const Entry& worst = row.comparison.worst;
    row.reason = fmt::format("{} of {} recorded numbers differ from those computed again; {}: computed {}, recorded {}",
                             row.comparison.outside, row.comparison.entries, worst.name, worst.predicted, worst.measured);
    row.next = "the run did not use this gradient, or another build or processor made it: compare with the one that trained";
  }
  return row;
}

}  // namespace popgrad
