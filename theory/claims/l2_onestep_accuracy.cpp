// L2.onestep at finite d: the accuracy that the joint law of the logits implies.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "check/statistics.hpp"
#include "theory/claims/l2_onestep_parts.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/onestep_accuracy.hpp"
#include "theory/formulas/onestep_moments.hpp"

namespace popgrad {
namespace {

using Curve = std::function<std::vector<QuadratureValue>(const std::vector<int>& dimensions)>;

// A Student interval needs draws that make mistakes: mistakes come in clusters, and with fewer draws than this the spread says
// little.
constexpr std::int64_t fewest_mistaken_draws = 30;

std::vector<int> dimensions_of(const std::vector<OnestepPoint>& points) {
  std::vector<int> dimensions;
  for (const OnestepPoint& p : points) dimensions.push_back(p.d);
  return dimensions;
}

std::vector<Entry> entries(const ClaimContext& context, const std::vector<OnestepPoint>& points, const Curve& curve) {
  std::vector<Entry> list;
  const std::vector<QuadratureValue> values = curve(dimensions_of(points));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const OnestepPoint& p = points[i];
    const QuadratureValue& predicted = values[i];
    const Moments& measured = p.measured.accuracy;
    const double widen = family_t(context.level, static_cast<double>(points.size()), static_cast<double>(p.draws - 1));
    list.push_back(entry("accuracy at d=" + std::to_string(p.d), predicted.value, measured.mean,
                         Budget{0, predicted.error, widen * measured.standard_error()}, true));
  }
  return list;
}

// Right logit N(1 - 1/N, v) and wrong ones N(-1/N, v), all independent, v the leading law: what the variance alone suggests.
QuadratureValue independent_logits(int N, int d) {
  const double spread = std::sqrt(onestep_variance_leading().evaluate({{"N", N}, {"d", d}}));
  double sum = 0;
  const int steps = 2000;
  for (int i = 0; i < steps; ++i) {
    const double z = -8 + 16 * (i + 0.5) / steps;
    const double below = 0.5 * std::erfc(-(1 / spread + z) / std::sqrt(2.0));
    sum += std::exp(-z * z / 2) * std::pow(below, N - 1) * 16 / steps;
  }
  return {sum / std::sqrt(2 * std::numbers::pi), 0};
}

}  // namespace

Row onestep_accuracy_curve(const ClaimContext& context, int N, int T, const std::vector<OnestepPoint>& all) {
  std::vector<OnestepPoint> points;
  for (const OnestepPoint& p : all)
    if (p.measured.draws_with_mistakes >= fewest_mistaken_draws) points.push_back(p);
  const std::string where = "N=" + std::to_string(N) + " T=" + std::to_string(T) + " d=" + std::to_string(all.front().d) +
                            (all.size() > 1 ? ".." + std::to_string(all.back().d) : "");
  if (points.empty())
    return undecided("L2.onestep", "accuracy", where,
                     "fewer than " + std::to_string(fewest_mistaken_draws) + " draws made a mistake",
                     "choose a smaller d or raise verify.work");
  const auto at = [](int tokens, const std::function<int(int)>& change) {
    return [tokens, change](std::vector<int> dimensions) {
      for (int& d : dimensions) d = change(d);
      return onestep_accuracies(tokens, dimensions);
    };
  };
  const auto each = [](const std::function<QuadratureValue(int)>& value) {
    return [value](const std::vector<int>& dimensions) {
      std::vector<QuadratureValue> values;
      for (const int d : dimensions) values.push_back(value(d));
      return values;
    };
  };
  const auto same = [](int d) { return d; };
  const Curve right = at(N, same);
  const auto with = [&](const Curve& wrong) { return [&, wrong] { return entries(context, points, wrong); }; };
  const std::vector<Control> controls = {
      {"d + 10 %", "the accuracy of a larger dimension", with(at(N, [](int d) { return d + (d + 9) / 10; }))},
      {"d - 10 %", "the accuracy of a smaller dimension", with(at(N, [](int d) { return std::max(1, d - (d + 9) / 10); }))},
      {"2N tokens", "twice as many competitors", with(at(2 * N, same))},
      {"independent logits", "the leading variance alone, right and wrong logits independent",
       with(each([N](int d) { return independent_logits(N, d); }))},
      {"perfect", "the ideal classifier", with(each([](int) { return QuadratureValue{1, 0}; }))}};
  // An accuracy is a probability: two hundredths is the smallest effect that matters at any d.
  Row row = judge("L2.onestep", "accuracy", where, Grade::sampled, entries(context, points, right), 0.02, controls, "raise verify.work");
  if (points.size() < all.size())
    row.reason += "; d above " + std::to_string(points.back().d) + " not compared: fewer than " +
                  std::to_string(fewest_mistaken_draws) + " draws made a mistake there";
  Series series{"onestep_accuracy", {"d", "predicted accuracy", "prediction error", "measured accuracy", "standard error"}, {}};
  // The curve also between the measured points, in steps of a fifth of an octave.
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> dimensions = dimensions_of(all);
  for (double d = all.front().d; d < all.back().d; d *= std::exp2(0.2)) {
    const int rounded = static_cast<int>(std::lround(d));
    if (std::find(dimensions.begin(), dimensions.end(), rounded) == dimensions.end()) dimensions.push_back(rounded);
  }
  const std::vector<QuadratureValue> predicted = right(dimensions);
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const bool measured = i < all.size();
    series.rows.push_back({static_cast<double>(dimensions[i]), predicted[i].value, predicted[i].error,
                           measured ? all[i].measured.accuracy.mean : none,
                           measured ? all[i].measured.accuracy.standard_error() : none});
  }
  row.series.push_back(std::move(series));
  return row;
}

}  // namespace popgrad
