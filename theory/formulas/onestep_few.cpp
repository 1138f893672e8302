#include "theory/formulas/onestep_few.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr double pi = boost::math::constants::pi<double>();

// The integral of f over [first, last]. x = first + (last - first) w^2 (3 - 2w) makes square roots at the ends smooth in w.
template <class Function>
double integral(const QuadratureRule& rule, double first, double last, Function f) {
  if (!(last > first)) return 0;
  double sum = 0;
  for (const auto& node : rule)
    sum += node.weight * 6 * node.x * (1 - node.x) * f(first + (last - first) * node.x * node.x * (3 - 2 * node.x));
  return (last - first) * sum;
}

// The density of gamma given phi, without its constant.
double density(const QuadratureRule& rule, int N, int d, double gamma, double phi) {
  const double along = std::cos(gamma) * std::cos(phi), across = std::sin(gamma) * std::sin(phi);
  const double last = along >= across ? pi : std::acos(std::clamp(-along / across, -1.0, 1.0));
  return std::pow(std::sin(gamma), N - 3) * integral(rule, 0, last, [&](double delta) {
           const double cosine = along + across * std::cos(delta);
           return cosine > 0 ? std::pow(cosine, d - 1) * std::pow(std::sin(delta), N - 4) : 0;
         });
}

}  // namespace

double onestep_error_rate_few(int N, int d, const OnestepOrders& orders, const MaxNormedResidual& largest) {
  require(N >= 4, "onestep_error_rate_few", "N", "at least 4", std::to_string(N));
  const QuadratureRule rule = gauss_legendre(orders.piece);
  const double n = N - 1, scale = std::sqrt(N / n);
  std::vector<double> kinks = {pi};
  for (int j = 1; j < N - 1; ++j) kinks.push_back(std::atan(scale * std::sqrt(n * j / (n - j))));
  const double first = kinks[1];  // no wrong logit can win before
  const double constant = 2 / (boost::math::beta(d / 2.0, (N - 2) / 2.0) * boost::math::beta((N - 3) / 2.0, 0.5));
  double total = 0;
  for (const auto& phi : onestep_angle_rule(N, d, orders)) {
    std::vector<double> places = kinks;
    const double cut = std::abs(pi / 2 - phi.x);
    for (const double place : {cut, pi - cut})
      if (place > first) places.push_back(place);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 1; i < places.size(); ++i)
      total += phi.weight * integral(rule, places[i - 1], places[i], [&](double gamma) {
                 return largest.exceedance(scale / std::tan(gamma)) * density(rule, N, d, gamma, phi.x);
               });
  }
  return constant * total;
}

}  // namespace popgrad
