// Integers of any size: sums of rationals over a common denominator, without a gcd for each. Internal to numerics.
#pragma once
#include "core/rational.hpp"

namespace popgrad {

using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

}  // namespace popgrad
