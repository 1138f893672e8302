// Quadrature nodes for expectations: normal, uniform and chi variables, and any finite law reduced to few nodes.
#pragma once
#include <vector>

namespace popgrad {

struct QuadratureNode {
  double x = 0, weight = 0;  // weights add up to 1
};
using QuadratureRule = std::vector<QuadratureNode>;

// Gauss-Hermite for N(0, 1) by Golub-Welsch: eigenvalues of the Jacobi matrix with sqrt(k) beside the diagonal. Exact for
// polynomials up to degree 2 count - 1. Throws HypothesisError unless 1 <= count <= 100.
QuadratureRule gauss_hermite(int count);

// Gauss-Legendre for the uniform law on [0, 1], exact up to degree 2 count - 1. Throws HypothesisError unless 1 <= count <= 100.
QuadratureRule gauss_legendre(int count);

// The trapezoidal rule for N(0, 1) on -8..8 (mass outside: 1e-15), weights scaled to 1: for integrands with steep or kinked
// places, where it is finer than Gauss-Hermite of the same size. Throws HypothesisError unless 2 <= count <= 1000.
QuadratureRule trapezoidal(int count);

// A rule for N(0, 1) mapped to a chi variable with `degrees` of freedom by its quantile, chi = Q(Phi(x)): an analytic
// function of x for every degrees >= 1. degrees = 0 gives the constant 0. Throws HypothesisError for degrees < 0.
QuadratureRule chi_rule(const QuadratureRule& normal, int degrees);

// The Gauss rule of a finite law: `count` nodes with the same moments up to 2 count - 1 (Stieltjes' recurrence, then
// Golub-Welsch). Throws HypothesisError unless 1 <= count <= 100 and count is at most half the number of nodes.
QuadratureRule reduced_rule(const QuadratureRule& law, int count);

}  // namespace popgrad
