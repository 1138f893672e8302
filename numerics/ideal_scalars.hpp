// The scalars for which the ideal model is compiled. Internal to numerics.
#pragma once
#include "core/interval.hpp"
#include "core/truncated_series.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {

using RationalSeries1 = PowerSeries<Rational, 1>;
using RationalSeries2 = PowerSeries<Rational, 2>;
using RationalSeries3 = PowerSeries<Rational, 3>;
using RunningErrorSeries1 = PowerSeries<RunningError, 1>;
using RunningErrorSeries9 = PowerSeries<RunningError, 9>;

// double: enumerations and flows. RunningError: the same with a roundoff bound. RunningErrorSeries1: directional derivatives
// anywhere. Interval: enclosures. Rational: at zero parameters. Series of rationals: coefficients around zero; TruncatedSeries where
// the order is the user's.
#define POPGRAD_FOR_IDEAL_SCALARS(DO) \
  DO(double)                          \
  DO(RunningError) DO(RunningErrorSeries1) DO(Interval) DO(Rational) DO(RationalSeries1) DO(RationalSeries2) DO(RationalSeries3) \
  DO(TruncatedSeries)

// Sums over orbits run in long series too: the first terms of a flow.
#define POPGRAD_FOR_ORBIT_SCALARS(DO) POPGRAD_FOR_IDEAL_SCALARS(DO) DO(RunningErrorSeries9)

}  // namespace popgrad
