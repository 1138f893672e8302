// Gradients entry by entry, by forward-mode differentiation of a plain forward pass.
#pragma once
#include <cstddef>
#include <vector>

#include "tests/oracle/scalars.hpp"

namespace popgrad::oracle {

struct Derivative {
  double value = 0;  // by Boost.Math's autodiff
  double error = 0;  // bound on its roundoff, by BoundedDual; see there for what it says about other routes
};

// How far another route may be from `value`: 2 K error, K = largest number of terms in any sum of either route.
inline double agreement(const Derivative& derivative, double K) { return 2 * K * derivative.error; }

// df/dtheta_i. f takes a const std::vector<S>& for S = Dual and S = BoundedDual and returns an S.
template <class F>
Derivative derivative(const F& f, const std::vector<double>& theta, std::size_t i) {
  std::vector<Dual> dual(theta.begin(), theta.end());
  dual.at(i) = boost::math::differentiation::make_fvar<double, 1>(theta[i]);
  std::vector<BoundedDual> bounded(theta.begin(), theta.end());
  bounded[i] = BoundedDual::variable(theta[i]);
  const Dual value = f(dual);
  const BoundedDual bound = f(bounded);
  return {value.derivative(1), bound.derivative.error()};
}

// One forward pass for each entry and scalar: for tiny instances.
template <class F>
std::vector<Derivative> gradient(const F& f, const std::vector<double>& theta) {
  std::vector<Derivative> result;
  for (std::size_t i = 0; i < theta.size(); ++i) result.push_back(derivative(f, theta, i));
  return result;
}

// f(theta) with the bound on its roundoff.
template <class F>
Derivative value(const F& f, const std::vector<double>& theta) {
  const BoundedDual bound = f(std::vector<BoundedDual>(theta.begin(), theta.end()));
  return {bound.value.value, bound.value.error()};
}

}  // namespace popgrad::oracle
