// What `popgrad fit` is asked: a quantity, sizes, and perhaps a basis.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "theory/claims/closed_form_fit.hpp"

namespace popgrad {

// As typed; empty where nothing is said.
struct FitWords {
  std::string quantity, handoff, blocks, background, query, monomial, engine;
  std::string N, T, t, s;
  std::string basis, denominator;
};

struct FitRequest {
  QuantityMeter meter;
  std::optional<FitBasis> basis;       // empty: to be proposed
  std::string basis_text;              // as typed
  std::vector<std::string> variables;  // symbols of the closed form: those with more than one value
  Size base;                           // a size with the fixed symbols at their values
  Values N, T;                         // as asked, or defaults
  std::optional<Values> t, s;
  bool asked_N = false, asked_T = false;

  // With the default ranges of N and T widened so that a basis that needs so many values of each is determined and leaves
  // sizes to predict.
  Grid grid(std::size_t needed_N, std::size_t needed_T) const;
};

// InputError naming the option.
FitRequest read_fit(const FitWords& words);

}  // namespace popgrad
