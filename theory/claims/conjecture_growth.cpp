// Orders of growth: the exponent of x that is left over in quantity / formula.
#include <algorithm>
#include <cmath>
#include <map>

#include "check/statistics.hpp"
#include "core/errors.hpp"
#include "theory/claims/conjecture.hpp"
#include "theory/formulas/harmonic.hpp"

namespace popgrad {
namespace {

struct Point {
  double x, log_ratio;
};

// The sizes that share all symbols but the variable, by increasing x.
struct Group {
  std::string name;  // "N=4", "all sizes"
  std::vector<Point> points;
};

std::string others(const Conjecture& conjecture, const Size& size) {
  std::string text;
  for (const std::string& symbol : size_symbols())
    if (const auto value = size.of(symbol); value && symbol != conjecture.variable)
      text += symbol + "=" + std::to_string(*value) + " ";
  return text;
}

// Empty if some ratio is zero or signs differ: then there is no exponent.
std::vector<Group> groups_of(const Conjecture& conjecture, const std::vector<SizeAnswer>& answers) {
  std::vector<Group> groups;
  std::map<std::string, std::pair<std::size_t, bool>> known;  // index and sign
  for (const SizeAnswer& at : answers) {
    if (at.predicted.is_zero() || at.measured.is_zero()) return {};
    const Rational ratio = at.measured / at.predicted;
    const std::string name = others(conjecture, at.size);
    const auto [found, added] = known.try_emplace(name, groups.size(), ratio > 0);
    if (added) groups.push_back({name, {}});
    if (found->second.second != (ratio > 0)) return {};
    groups[found->second.first].points.push_back(
        {static_cast<double>(*at.size.of(conjecture.variable)), std::log(std::abs(to_double(ratio)))});
  }
  for (Group& group : groups) std::ranges::sort(group.points, {}, &Point::x);
  return groups;
}

enum class Model { one_correction, two_corrections };

// log ratio = a + b log x + c/x (+ d log(x)/x): b, and the bound of its rounding error.
struct Exponent {
  double value, roundoff;
};

Exponent exponent(const std::vector<Point>& points, Model model) {
  std::vector<double> one, logarithm, first, second, value, error;
  double largest = 1;
  for (const Point& p : points) {
    one.push_back(1);
    logarithm.push_back(std::log(p.x));
    first.push_back(1 / p.x);
    second.push_back(std::log(p.x) / p.x);
    value.push_back(p.log_ratio);
    error.push_back(1);
    largest = std::max(largest, std::abs(p.log_ratio));
  }
  const Fit fit = model == Model::one_correction ? fit_linear({one, logarithm, first}, value, error)
                                                 : fit_linear({one, logarithm, first, second}, value, error);
  // error[1] is the norm of b as a linear map of the values, each within a few roundings.
  return {fit.coefficient[1], fit.error[1] * std::sqrt(static_cast<double>(points.size())) * largest * 0x1p-48};
}

// Truncation: how far b moves when the smallest x is left out, and when the correction log(x)/x is.
Entry left_over(const Conjecture& conjecture, const Group& group, double predicted) {
  const Exponent all = exponent(group.points, Model::two_corrections);
  const double late = exponent({group.points.begin() + 1, group.points.end()}, Model::two_corrections).value;
  const double shorter = exponent(group.points, Model::one_correction).value;
  return entry(group.name + "exponent of " + conjecture.variable + " left over", predicted, all.value,
               Budget{all.roundoff, std::abs(all.value - late) + std::abs(all.value - shorter), 0}, true);
}

// The formula times (H(x) + beside)^power.
struct SlowFactor {
  double beside = 0, power = 0;
};

std::vector<Entry> entries(const Conjecture& conjecture, const std::vector<Group>& groups, double predicted, const SlowFactor& factor) {
  std::vector<Entry> list;
  for (Group group : groups) {
    for (Point& p : group.points) p.log_ratio -= factor.power * std::log(harmonic(p.x) + factor.beside);
    list.push_back(left_over(conjecture, group, predicted));
  }
  return list;
}

}  // namespace

Row judge_growth(const Conjecture& conjecture, const std::vector<SizeAnswer>& answers) {
  const std::string name = "conjecture " + conjecture.name;
  const std::vector<Group> groups = groups_of(conjecture, answers);
  if (groups.empty())
    return undecided(name, "", conjecture.configuration(),
                     "the quantity or the formula is zero at a size, or their ratio changes sign",
                     "choose sizes beyond that");
  std::vector<Control> controls;
  for (const auto& [label, power] : {std::pair{"x^(1/4)", 0.25}, {"x^(-1/4)", -0.25}, {"x^(1/2)", 0.5}, {"x^(-1/2)", -0.5}})
    controls.push_back({std::string("times ") + label, "another exponent",
                        [&, power = power] { return entries(conjecture, groups, power, {}); }});
  for (const int beside : {0, 1, 10}) {
    const std::string factor = beside == 0 ? "H(x)" : "(H(x) + " + std::to_string(beside) + ")";
    const std::string what = beside == 0 ? "" : ", beside a constant";
    controls.push_back({"times " + factor, "one logarithm more" + what, [&, beside] {
                          return entries(conjecture, groups, 0, {static_cast<double>(beside), 1});
                        }});
    controls.push_back({"over " + factor, "one logarithm less" + what, [&, beside] {
                          return entries(conjecture, groups, 0, {static_cast<double>(beside), -1});
                        }});
  }
  // The nearest powers tried are 1/4 away; a budget must not reach half as far. What a logarithm changes is smaller, and its
  // controls say whether it was told apart. The larger the constant beside it, the less: none tells H(x) + 100 from a constant.
  Row row = judge(name, "", conjecture.configuration(), Grade::enumerated, entries(conjecture, groups, 0, {}), 0.125,
                  controls, "larger " + conjecture.variable + ", or write the next terms of the formula out");
  if (row.verdict == Verdict::verified)
    row.reason = "no exponent is left over at these sizes, which is evidence and no proof; a logarithm beside a large constant, "
                 "H(" + conjecture.variable + ") + 100, would not be seen";
  if (row.verdict == Verdict::refuted)
    row.next = "if the growth is right up to logarithms, write them out with H: (H(T-1) - 2)/T^2 for log(T)/T^2";
  return row;
}

}  // namespace popgrad
