// Coefficients as popgrad gradient shows them: at one N, or as functions of N.
#pragma once
#include "app/gradient_engines.hpp"
#include "numerics/symbolic_terms.hpp"

namespace popgrad {

// What the request asks for: the leading monomials, or all up to its degree.
std::vector<Monomial> monomials_of(const GradientRequest& request);

// Terms at the request's N, or if it is symbolic as functions of N, determined by terms_at several N (numerics/
// symbolic_terms.hpp); then with their values at the request's N if the user gave one.
std::vector<GradientTerm> coefficient_terms(const GradientRequest& request, const TermsAt& terms_at);

// `at_one_N`, the cost of the terms at one N, summed over all N that are needed.
Cost coefficient_cost(const GradientRequest& request, const std::function<Cost(const GradientRequest&)>& at_one_N);
// "203 orbits", or "203 orbits at each of 9 N".
std::string coefficient_work(const GradientRequest& request, const std::string& at_one_N);

}  // namespace popgrad
