// The structure of a printed formula, shared by the three printers: fractions, signs, precedence.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "theory/formulas/tree.hpp"

namespace popgrad {

enum class Level { sum, product, power, atom };  // what a printed piece is, loosest first

struct Piece {
  std::string text;
  Level level = Level::atom;
};

// How one notation writes each construct; pieces arrive without the brackets that they may need.
class Notation {
 public:
  virtual ~Notation() = default;
  virtual Piece number(const std::string& digits) const = 0;  // a non-negative integer
  virtual Piece symbol(const std::string& name) const = 0;
  virtual Piece sum(const std::vector<std::pair<bool, Piece>>& terms) const = 0;  // true: subtracted; at least one term
  virtual Piece product(const std::vector<Piece>& factors) const = 0;             // at least two
  virtual Piece fraction(const Piece& above, const Piece& below) const = 0;
  virtual Piece power(const Piece& base, const Piece& exponent) const = 0;
  virtual Piece root(const Piece& inside) const = 0;
  virtual Piece harmonic(const std::vector<Piece>& arguments) const = 0;  // n, or n and m
  virtual Piece exponential(const Piece& argument) const = 0;
};

Piece render(const NodePtr& node, const Notation& notation);

std::string print_text(const NodePtr& node);    // (delta - 1/N)/(N*T)
std::string print_latex(const NodePtr& node);   // without dollar signs
std::string print_mathml(const NodePtr& node);  // presentation MathML, one <math> element

}  // namespace popgrad
