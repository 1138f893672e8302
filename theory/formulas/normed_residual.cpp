#include "theory/formulas/normed_residual.hpp"

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr double pi = boost::math::constants::pi<double>();

// psi = first + (last - first) w^2 (3 - 2w) is quadratic at both ends: the square-root singularity that M_3 leaves at
// `first` becomes smooth in w.
double grade(double w) { return w * w * (3 - 2 * w); }
double grade_slope(double w) { return 6 * w * (1 - w); }
double ungrade(double x) { return 0.5 - std::sin(std::asin(1 - 2 * x) / 3); }

}  // namespace

MaxNormedResidual::MaxNormedResidual(int n, int cells) {
  require(n >= 3 && n <= 100000, "MaxNormedResidual", "n", "in 3..100000", std::to_string(n));
  require(cells >= 8, "MaxNormedResidual", "cells", "at least 8", std::to_string(cells));
  first_ = last_ = pi / 3;
  while (n_ < n) advance(cells);
}

double MaxNormedResidual::exceedance(double m) const {
  const double cosine = m * std::sqrt(n_ / (n_ - 1.0));
  if (cosine >= 1) return 0;
  if (cosine <= 1.0 / (n_ - 1)) return 1;
  return at_angle(std::acos(cosine));
}

double MaxNormedResidual::at_angle(double psi) const {
  if (n_ == 3) return psi / last_;
  if (psi <= first_) {
    const double sine = std::sin(psi);
    return n_ * 0.5 * boost::math::ibeta((n_ - 2) / 2.0, 0.5, sine * sine);
  }
  const auto cells = static_cast<double>(value_.size() - 1);
  const double place = ungrade((psi - first_) / (last_ - first_)) * cells;
  const auto cell = static_cast<std::size_t>(std::clamp(place, 0.0, cells - 1));
  const double x = place - static_cast<double>(cell), y = 1 - x;
  const double hermite = y * y * (1 + 2 * x) * value_[cell] + x * x * (1 + 2 * y) * value_[cell + 1] +
                         x * y * (y * slope_[cell] - x * slope_[cell + 1]) / cells;
  return std::clamp(hermite, 0.0, 1.0);
}

// From M_{n-1} to M_n.
void MaxNormedResidual::advance(int cells) {
  const MaxNormedResidual smaller = *this;
  ++n_;
  const double n = n_;
  first_ = std::atan(std::sqrt(n / (n - 2)));  // the others, all together, can just reach the largest
  last_ = std::acos(1 / (n - 1));              // all of them equal: the smallest possible maximum
  const double log_constant = std::log(n) + std::lgamma((n - 1) / 2) - std::lgamma((n - 2) / 2) - 0.5 * std::log(pi);
  const auto density = [&](double w) {
    const double psi = first_ + (last_ - first_) * grade(w);
    const double below = 1 - smaller.exceedance(std::sqrt(n / (n - 1)) / std::tan(psi));
    return std::exp(log_constant + (n - 3) * std::log(std::sin(psi))) * below * (last_ - first_) * grade_slope(w);
  };
  const double sine = std::sin(first_);
  value_.assign(1, n * 0.5 * boost::math::ibeta((n - 2) / 2, 0.5, sine * sine));
  slope_.assign(1, density(0));
  const double step = 1.0 / cells, node = std::sqrt(0.6);
  constexpr std::array weights = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  for (int cell = 0; cell < cells; ++cell) {
    const double middle = (cell + 0.5) * step;
    double integral = 0;
    for (std::size_t i = 0; i < 3; ++i)
      integral += weights[i] * density(middle + (static_cast<double>(i) - 1) * node * step / 2);
    value_.push_back(value_.back() + step * integral);
    slope_.push_back(density((cell + 1) * step));
  }
}

}  // namespace popgrad
