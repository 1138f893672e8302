#include "tests/oracle/taylor.hpp"

#include <cmath>
#include <utility>

namespace popgrad::oracle {
namespace {

// Least-squares slope of log2 remainder on log2 h over points [begin, end), and the most that roundoff can change it.
std::pair<double, double> slope(const std::vector<TaylorPoint>& points, std::size_t begin, std::size_t end) {
  const double n = static_cast<double>(end - begin);
  double mean = 0, spread = 0, fitted = 0, error = 0;
  for (std::size_t i = begin; i < end; ++i) mean += std::log2(points[i].h) / n;
  for (std::size_t i = begin; i < end; ++i) spread += std::pow(std::log2(points[i].h) - mean, 2);
  for (std::size_t i = begin; i < end; ++i) {
    const double weight = (std::log2(points[i].h) - mean) / spread;
    fitted += weight * std::log2(points[i].remainder);
    error += std::abs(weight) * -std::log2(1 - points[i].roundoff / points[i].remainder);
  }
  return {fitted, error};
}

}  // namespace

TaylorResult taylor_test(const std::function<double(double)>& f, double directional, double directional_error,
                         const std::function<double(double, double)>& value_error, int first, int last) {
  constexpr double u = 0x1.0p-53;
  TaylorResult result;
  const double f0 = f(0);
  std::vector<TaylorPoint> usable;  // from the largest step to the smallest
  for (int exponent = first; exponent <= last; ++exponent) {
    const double h = std::ldexp(1.0, -exponent), fh = f(h);
    TaylorPoint point{h, std::abs(fh - f0 - h * directional), 0, false};
    // Two evaluations, the product's own error, and three roundings of numbers no larger than the sum of the three terms.
    point.roundoff = value_error(h, fh) + value_error(0, f0) + h * directional_error +
                     3 * u * (std::abs(fh) + std::abs(f0) + h * std::abs(directional));
    point.usable = std::isfinite(point.remainder) && point.remainder >= 16 * point.roundoff && point.remainder > 0;
    result.points.push_back(point);
    if (point.usable) usable.push_back(point);
  }
  if (usable.size() > 8) usable.erase(usable.begin(), usable.end() - 8);
  if (usable.size() < 4) {
    result.reason = "fewer than four steps leave a remainder above roundoff";
    return result;
  }
  const std::size_t middle = usable.size() / 2;
  const auto [coarse, coarse_error] = slope(usable, 0, middle);
  const auto [fine, fine_error] = slope(usable, middle, usable.size());
  result.slope = fine;
  result.coarse = coarse;
  result.tolerance = std::abs(coarse - fine) + coarse_error + fine_error;
  if (fine < 2 - result.tolerance) {
    result.verdict = TaylorVerdict::fail;
    result.reason = "the remainder does not shrink like h^2";
  } else if (result.tolerance > 0.25) {
    result.reason = "the slope is not settled on the usable steps";
  } else if (0.03 * std::abs(directional) * usable.back().h < result.tolerance * usable.back().remainder) {
    result.reason = "the gradient along this direction is too small for 3 % of it to show";
  } else {
    result.verdict = TaylorVerdict::pass;
    result.reason = "the remainder shrinks like h^2";
  }
  return result;
}

}  // namespace popgrad::oracle
