// From text to a formula: what a user may write in a file of conjectures or on the command line.
#pragma once
#include <string>
#include <vector>

#include "theory/formulas/formula.hpp"

namespace popgrad {

struct Grammar {
  std::vector<std::string> symbols;  // {"N", "T"}: the names that may occur
  bool rational = true;              // refuse sqrt, exp and exponents such as 1/2: the formula is to be evaluated exactly
};

// sum     = term {("+" | "-") term}
// term    = signed {("*" | "/") signed}
// signed  = ("-" | "+") signed | power                      -N^2 is -(N^2)
// power   = atom ["^" {"-" | "+"} power]                    2^3^2 is 2^(3^2)
// atom    = number | symbol | "(" sum ")" | "H(" sum ["," sum] ")" | "sqrt(" sum ")" | "exp(" sum ")"
// number  = digits ["." digits], exact: 0.25 is 1/4
//
// InputError "argument, column C: got ..., expected ..." where the text breaks the grammar, for an unknown symbol (with the
// nearest known one), a literal exponent beyond 64, a division by the number 0, brackets nested more than 20 deep, a text
// of more than 4000 characters, and powers whose value could take more than a million digits. Always one line, at once.
Formula parse_formula(const std::string& argument, const std::string& text, const Grammar& grammar);

}  // namespace popgrad
