// Exact arithmetic. A heavy header: include it only where rationals are computed with.
#pragma once
#include <boost/multiprecision/gmp.hpp>
#include <string>

namespace popgrad {

// Expression templates off: they do not mix with the templates of the ideal model.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

inline double to_double(const Rational& x) { return x.convert_to<double>(); }
inline std::string to_string(const Rational& x) { return x.str(); }
inline bool is_zero(const Rational& x) { return x.is_zero(); }

}  // namespace popgrad
