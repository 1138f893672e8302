// Taylor coefficients of a stage's gradient in the sizes of the steps before it, exactly, by sums over orbits.
#pragma once
#include <string>
#include <vector>

#include "numerics/stage_terms.hpp"

namespace popgrad {

// first^i second^j, the sizes being alpha and beta (ideal hand-off) or eta1 and eta2 (actual).
struct Monomial {
  int first = 0, second = 0;
  int degree() const { return first + second; }
  bool operator==(const Monomial&) const = default;
};
std::string name(const Monomial& monomial, Handoff handoff);  // "1", "eta1", "eta1^2*eta2"

// The monomials of total degree 1..degree whose coefficients are not zero for structural reasons, by degree and then by the
// power of the second size: stage 1 has "1" alone; stage 2 first^i; stage 3 first^i second^j with i >= 1 (without W_O there
// is no gradient), and after an actual hand-off i > j, because each factor eta2 brings a W_K2 that is at least of first
// order in eta1. HypothesisError unless 1 <= stage <= 3 and degree >= 1.
std::vector<Monomial> taylor_monomials(Handoff handoff, int stage, int degree);
// Those of stage_terms.
std::vector<Monomial> leading_monomials(Handoff handoff, int stage);

// The coefficients of those monomials in -dL/d(map of the stage) as a function of the sizes, W_K2 of an actual hand-off
// being eta2 (-dL/dW_K2) at W_O = eta1 (-dL/dW_O at zero), itself a function of eta1. Stage 3: univariate series along the
// rays second = rho first, and the polynomial in rho that the coefficient of each degree is, interpolated in as many rays as
// its degree needs; one more ray is computed and must agree (HypothesisError if not). Monomials that stage_terms has too get
// the same coefficient. Errors of stage_terms, and HypothesisError as above.
std::vector<StageTerm> taylor_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage, int degree);

// Passes over the orbits of taylor_terms at stage 3: the rays.
int taylor_rays(Handoff handoff, int degree);

}  // namespace popgrad
