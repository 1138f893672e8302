// Exact solutions of linear equations in rationals.
#pragma once
#include <cstddef>
#include <vector>

#include "core/rational.hpp"

namespace popgrad {

struct Equation {
  std::vector<Rational> coefficients;
  Rational right;
};

struct RationalSolution {
  enum class Kind { unique, inconsistent, underdetermined };
  Kind kind = Kind::underdetermined;
  std::size_t rank = 0;
  std::size_t used = 0;           // equations taken, in order, until the solution was determined (or all of them)
  std::vector<Rational> values;   // if unique; they satisfy every equation used, exactly
  std::vector<std::size_t> free;  // underdetermined: unknowns that are combinations of those before them
  std::size_t contradiction = 0;  // inconsistent: the first equation that contradicts those before it
};

// Takes the equations in order until they determine all unknowns. By elimination modulo primes of 61 bits, the Chinese
// remainder theorem and rational reconstruction: in rationals the numbers would grow with every step. The result is put into
// the equations used, in rationals, and more primes are taken until it satisfies them. `inconsistent` and ranks are those
// modulo the first prime, wrong with a chance of about unknowns/2^60.
// HypothesisError unless all equations have `unknowns` coefficients and unknowns >= 1.
RationalSolution solve_in_order(const std::vector<Equation>& equations, std::size_t unknowns);

}  // namespace popgrad
