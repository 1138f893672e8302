#include "theory/claims/first_gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/training_gradient.hpp"

namespace popgrad {
namespace {

constexpr const char* title = "the run's own first update";

struct Prediction {
  TableSet gradient, after;
  double loss = 0, positions = 0;
};

// The rule of the first update: what changes in a control.
struct Rule {
  double rate = 0, decay = 0;
};

// The first step of SGD from velocity 0, whatever the momentum: theta_1 = theta_0 - rate (g + decay theta_0).
double sgd(double w, double g, const Rule& rule) {
  const double velocity = g + rule.decay * w;
  return w - rule.rate * velocity;
}

// The first step of AdamW from zero means: theta_1 = (1 - rate decay) theta_0 - rate/(1 - b1) m / (sqrt(v)/sqrt(1 - b2) + epsilon)
// with m = (1 - b1) g, v = (1 - b2) g^2; up to rounding (1 - rate decay) theta_0 - rate g/(|g| + epsilon).
double adamw(double w, double g, const Rule& rule, const TrainOptions& options) {
  const double m = (1 - options.beta1) * g, v = (1 - options.beta2) * (g * g);
  const double root = std::sqrt(1 - options.beta2), step = rule.rate / (1 - options.beta1);
  return (1 - rule.rate * rule.decay) * w - step * (m / (std::sqrt(v) / root + options.epsilon));
}

void step(Prediction& prediction, const FiniteModel& theta0, const TrainOptions& options, const Rule& rule) {
  for (const auto& [table, g] : prediction.gradient) {
    Matrix& w = prediction.after[table] = matrix(theta0, table);
    for (Eigen::Index i = 0; i < w.size(); ++i)
      w.data()[i] = options.optimizer == OptimizerKind::sgd ? sgd(w.data()[i], g.data()[i], rule)
                                                            : adamw(w.data()[i], g.data()[i], rule, options);
  }
}

Prediction of(const BatchGradient& batch, const FiniteModel& theta0, const TrainOptions& options) {
  Prediction prediction{{}, {}, batch.mean_loss(), static_cast<double>(batch.loss_positions)};
  for (const Table table : moving_tables(options, 0)) prediction.gradient[table] = batch.mean(table);
  step(prediction, theta0, options, {options.rate, options.weight_decay});
  return prediction;
}

std::vector<Entry> entries(const Prediction& predicted, const FirstGradient& recorded) {
  std::vector<Entry> list;
  for (const Table table : recorded.moved) {
    const auto add = [&, table](const char* what, const Matrix& p, const Matrix& m) {
      for (Eigen::Index i = 0; i < m.rows(); ++i)
        for (Eigen::Index j = 0; j < m.cols(); ++j)
          list.push_back(entry(fmt::format("{}{} row {}, column {}", what, name(table), i + 1, j + 1), p(i, j), m(i, j), {}));
    };
    add("gradient of ", predicted.gradient.at(table), recorded.gradient.at(table));
    add("after it, ", predicted.after.at(table), recorded.after.at(table));
  }
  list.push_back(entry("loss", predicted.loss, recorded.loss, {}));
  list.push_back(entry("loss positions", predicted.positions, static_cast<double>(recorded.loss_positions), {}));
  return list;
}

// No number is off by more than 1e-9 (in float 1e-4) of the largest of its map: what another order of summation or a processor
// without fused multiply-adds could do, and little else.
bool only_rounding(const Prediction& predicted, const FirstGradient& recorded, KernelKind kernel) {
  const double share = kernel == KernelKind::fast ? 1e-4 : 1e-9;
  const auto close = [share](const Matrix& p, const Matrix& m) {
    return (p - m).cwiseAbs().maxCoeff() <= share * p.cwiseAbs().maxCoeff();
  };
  return predicted.positions == static_cast<double>(recorded.loss_positions) &&
         std::abs(predicted.loss - recorded.loss) <= share * predicted.loss && std::ranges::all_of(recorded.moved, [&](Table table) {
           return close(predicted.gradient.at(table), recorded.gradient.at(table)) &&
                  close(predicted.after.at(table), recorded.after.at(table));
         });
}

std::string maps_of(const FirstGradient& recorded, const TrainOptions& options) {
  std::string moved, frozen;
  const std::vector<Table> trained = options.trained();
  for (const Table table : {Table::wo2, Table::wk2, Table::wk1, Table::wf, Table::tok, Table::pos, Table::out}) {
    if (std::ranges::find(trained, table) == trained.end()) continue;
    std::string& list = std::ranges::find(recorded.moved, table) != recorded.moved.end() ? moved : frozen;
    list += (list.empty() ? "" : ", ") + std::string(name(table));
  }
  return moved + (frozen.empty() ? "" : "; frozen in update 1, nothing recorded: " + frozen);
}

}  // namespace

Row judge_first_gradient(const RunFolder& run, const FiniteModel& theta0, const SequenceSource& source,
                         const std::optional<FirstGradient>& recorded, const BatchGradient& again, const std::string& program) {
  if (!recorded)
    return undecided(title, "", "", "not recorded: the run has made no update yet, or an earlier version of popgrad made it",
                     "train again: the first update then leaves first_gradient.safetensors in the run folder");
  const TrainOptions& options = run.options();
  const std::string maps = maps_of(*recorded, options);
  if (recorded->moved.empty())
    return undecided(title, "", maps, "every map was frozen in update 1: the run used no gradient",
                     "train with one of freeze.wo2, freeze.wk2, freeze.wk1 at 0");
  const Prediction right = of(again, theta0, options);
  const auto changed = [&](auto change) {
    Prediction wrong = right;
    for (const Table table : recorded->moved) change(wrong.gradient.at(table));
    return entries(wrong, *recorded);
  };
  const auto scaled = [&](double s) { return changed([s](Matrix& g) { g *= s; }); };
  const auto stepped = [&](double rate, double decay) {
    Prediction wrong = right;
    step(wrong, theta0, options, {rate, decay});
    return entries(wrong, *recorded);
  };
  std::vector<Control> controls = {
      {"second minibatch", "the gradient of sequences B .. 2B - 1",
       [&] {
         return entries(of(training_gradient(options, theta0, source, 1, recorded->moved), theta0, options), *recorded);
       }},
      {"sign", "-g", [&] { return scaled(-1); }},
      {"doubled", "2 g", [&] { return scaled(2); }},
      {"one entry", "the first entry of one map replaced by the next larger double", [&] {
         Prediction wrong = right;
         double& entry = wrong.gradient.at(recorded->moved.front())(0, 0);
         entry = std::nextafter(entry, std::numeric_limits<double>::infinity());
         return entries(wrong, *recorded);
       }},
      {"ascent", "the step taken up the gradient", [&] { return stepped(-options.rate, options.weight_decay); }},
      {"rate", "a step of 1.1 times the rate", [&] { return stepped(1.1 * options.rate, options.weight_decay); }}};
  if (std::ranges::any_of(recorded->moved, [&](Table table) { return !matrix(theta0, table).isZero(0); })) {
    const double decay = options.weight_decay > 0 ? 0 : 1e-4;
    controls.push_back({"weight decay", decay > 0 ? "a step with weight decay 1e-4, which the run has not" : "a step without weight decay",
                        [&, decay] { return stepped(options.rate, decay); }});
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
    row.next = "the run did not do what its configuration says";
    if (run.program() != program && only_rounding(right, *recorded, options.kernel_in_force())) {
      row.verdict = Verdict::undecided;
      row.reason = fmt::format("{} of {} recorded numbers differ in their last digits, and the run was made by {}, this is {}",
                               row.comparison.outside, row.comparison.entries, run.program(), program);
      row.next = "compare with the build that trained";
    }
  }
  return row;
}

}  // namespace popgrad
