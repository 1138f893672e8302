// Coefficients of the stages as rational functions of N at a fixed length, determined by their values at finitely many N.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/rational_function.hpp"
#include "numerics/taylor_terms.hpp"

namespace popgrad {

// The sum over orbits behind a coefficient (the entry itself in a position-position block, N times it in a token-position
// block and on a diagonal) times N^at_zero (N-1)^at_one is a polynomial in N of at most this degree. Derivation:
// docs/theory.md, section 5, "Coefficients as functions of N".
struct NumeratorBound {
  int at_zero = 0, at_one = 0, degree = 0;
};
NumeratorBound numerator_bound(const MinimalTask& task, Handoff handoff, int stage, const Monomial& monomial);

struct SymbolicTerm {
  std::string monomial;
  InvariantMaps<RationalFunction> descent;  // its N is the task's and means nothing
};

// The terms at one N, in the order of the monomials: stage_terms, moment_terms or taylor_terms.
using TermsAt = std::function<std::vector<StageTerm>(const MinimalTask& task)>;

// Every coefficient as a function of N; N of the task is not used. terms_at is called for N = 2 .. D+2, D the largest
// degree bound of the monomials, which determines them all, and for `also` and two N besides, at which the functions must
// give the same values (HypothesisError if one does not). HypothesisError if terms_at gives other monomials.
std::vector<SymbolicTerm> symbolic_terms(const MinimalTask& task, Handoff handoff, int stage,
                                         const std::vector<Monomial>& monomials, const TermsAt& terms_at,
                                         const std::vector<int>& also = {});
// The N at which it calls terms_at, without `also`.
std::vector<int> symbolic_sizes(const MinimalTask& task, Handoff handoff, int stage, const std::vector<Monomial>& monomials);

}  // namespace popgrad
