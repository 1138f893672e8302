// The scalars that the oracle's forward passes are instantiated with.
#pragma once
#include <boost/math/differentiation/autodiff.hpp>

#include "tests/oracle/bounded_dual.hpp"

namespace popgrad::oracle {

// Boost.Math's forward mode, first order: the reference derivative.
using Dual = boost::math::differentiation::autodiff_fvar<double, 1>;

inline double value_of(double x) { return x; }
inline double value_of(const Dual& x) { return x.derivative(0); }
inline double value_of(const BoundedDual& x) { return x.value.value; }

}  // namespace popgrad::oracle
