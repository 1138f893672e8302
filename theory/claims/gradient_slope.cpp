#include "theory/claims/gradient_slope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ordered_sum.hpp"
#include "core/philox.hpp"

namespace popgrad {
namespace {

constexpr const char* title = "the gradient is the slope of the loss";

// Pooled loss of the first `count` training sequences, by the forward pass alone.
double mean_loss(const FiniteModel& model, const SequenceSource& source, std::int64_t count, std::int64_t positions) {
  const double sum = ordered_sum(count, 4, 0.0, [&](std::int64_t i, double& partial) {
    const Sequence sequence = source.draw(source.training(), static_cast<std::uint64_t>(i));
    if (!sequence.example.targets.empty()) partial += forward(model, sequence.example).loss;
  });
  return sum / static_cast<double>(positions);
}

struct Slope {
  Map map;
  Matrix direction;  // |V| = 1
  std::string name;
  double measured = 0;
  Budget budget;
};

Matrix random_direction(int d, std::uint64_t seed, Map map, std::uint64_t which) {
  Stream stream(seed, Purpose::direction, static_cast<std::uint64_t>(map), which);
  Matrix v(d, d);
  for (Eigen::Index i = 0; i < v.size(); ++i) v.data()[i] = stream.normal();
  return v / v.norm();
}

// h = 1e-3 in units of the map: its spectral effect on scores is then small, and D(h) has lost three digits to rounding.
void measure(Slope& slope, const FiniteModel& theta0, const SequenceSource& source, const BatchGradient& batch) {
  const double h = 1e-3 * std::max(1.0, theta0.trained.at(slope.map).norm());
  double largest = 0;
  const auto quotient = [&](double step) {
    FiniteModel up = theta0, down = theta0;
    up.trained.at(slope.map) += step * slope.direction;
    down.trained.at(slope.map) -= step * slope.direction;
    const double above = mean_loss(up, source, batch.sequences, batch.loss_positions);
    const double below = mean_loss(down, source, batch.sequences, batch.loss_positions);
    largest = std::max({largest, above, below});
    return (above - below) / (2 * step);
  };
  const double fine = quotient(h), coarse = quotient(2 * h);
  slope.measured = (4 * fine - coarse) / 3;
  // Each loss is a chain of products of T x d and d x d terms: some 4 (T + d) roundings on the way to a logit, of relative size u.
  slope.budget.roundoff = (5.0 / 3) * roundoff_bound(4.0 * (theta0.T() + theta0.d()), largest) / h;
  slope.budget.truncation = std::abs(slope.measured - fine);
}

std::vector<Entry> entries(const std::vector<Slope>& slopes, const TrainedMaps& gradient) {
  std::vector<Entry> list;
  for (const Slope& slope : slopes)
    list.push_back(entry(slope.name, gradient.at(slope.map).cwiseProduct(slope.direction).sum(), slope.measured, slope.budget,
                         slope.name.ends_with("g/|g|")));
  return list;
}

}  // namespace

Row judge_gradient_slope(const FiniteModel& theta0, const SequenceSource& source, const std::vector<Map>& moved, const BatchGradient& batch,
                         std::uint64_t seed) {
  const TrainedMaps gradient = batch.mean();
  std::vector<Slope> slopes;
  for (const Map map : moved) {
    const double size = gradient.at(map).norm();
    if (size > 0) slopes.push_back({map, gradient.at(map) / size, std::string(name(map)) + " along g/|g|", 0, {}});
    for (std::uint64_t which = 0; which < 2; ++which)
      slopes.push_back({map, random_direction(theta0.d(), seed, map, which),
                        std::string(name(map)) + " along random direction " + std::to_string(which + 1), 0, {}});
  }
  if (slopes.empty()) return undecided(title, "", "", "every map was frozen in update 1", "train with a map that moves");
  if (batch.empty()) return undecided(title, "", "", "the minibatch has no loss position", "raise train.batch");
  for (Slope& slope : slopes) measure(slope, theta0, source, batch);
  const auto scaled = [&](double s) {
    return [&, s] {
      TrainedMaps wrong = gradient;
      for (const Map map : moved) wrong.at(map) *= s;
      return entries(slopes, wrong);
    };
  };
  const std::vector<Control> controls = {
      {"sign", "-g", scaled(-1)},
      {"doubled", "2 g", scaled(2)},
      {"factor", "1.1 g", scaled(1.1)},
      {"second minibatch", "the gradient of sequences B .. 2B - 1", [&] {
         const std::int64_t B = batch.sequences;
         return entries(slopes, batch_gradient(theta0, source, source.training(), static_cast<std::uint64_t>(B), B).mean());
       }}};
  const std::vector<Entry> list = entries(slopes, gradient);
  Row row = judge(title, "", "first minibatch, differences of its loss", Grade::enumerated, list, default_effect(list), controls);
  if (row.verdict == Verdict::verified)
    row.reason = fmt::format("{} slopes agree with the gradient, each within at most {:.1e} where {:.1e} would matter", list.size(),
                             row.comparison.widest, row.comparison.effect);
  return row;
}

}  // namespace popgrad
