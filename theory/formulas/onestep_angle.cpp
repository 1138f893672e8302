#include "theory/formulas/onestep_angle.hpp"

#include <cmath>

namespace popgrad {

QuadratureRule onestep_chi_rule(int degrees, const OnestepOrders& orders) {
  constexpr int many_degrees = 6;
  return chi_rule(degrees >= many_degrees ? gauss_hermite(orders.narrow) : trapezoidal(orders.wide), degrees);
}

QuadratureRule onestep_angle_rule(int N, int d, const OnestepOrders& orders) {
  const double along = std::sqrt((N - 1) / (2.0 * N)), aside = std::sqrt((N + 1) / (2.0 * N));
  // Trapezoidal whatever d: these nodes cost little, and two orders of Gauss-Hermite near d = 12 differ by less than their errors.
  const QuadratureRule normal = trapezoidal(orders.wide), nus = trapezoidal(orders.nu);
  const QuadratureRule chis = chi_rule(normal, d), spreads = chi_rule(normal, N - 2);
  QuadratureRule law;
  for (const auto& chi : chis)
    for (const auto& nu : nus)
      for (const auto& spread : spreads)
        law.push_back({std::atan2(spread.x, along * chi.x + aside * nu.x), chi.weight * nu.weight * spread.weight});
  return reduced_rule(law, orders.phi);
}

}  // namespace popgrad
