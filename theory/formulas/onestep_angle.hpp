// Internal to onestep_accuracy: quadrature orders, and the law of phi, the angle of beta from f1 (onestep_accuracy.hpp).
#pragma once
#include "theory/formulas/gauss_rules.hpp"

namespace popgrad {

// Nodes per variable. `narrow`: chi variables of many degrees of freedom, nearly linear in a normal, by Gauss-Hermite; `wide`:
// the others, trapezoidal. The law of phi, a smooth function of three variables, is reduced to a Gauss rule of its own. `piece`:
// Gauss-Legendre nodes between two kinks.
struct OnestepOrders {
  int narrow, wide, nu, omega, phi, piece;
};

QuadratureRule onestep_chi_rule(int degrees, const OnestepOrders& orders);
QuadratureRule onestep_angle_rule(int N, int d, const OnestepOrders& orders);

}  // namespace popgrad
