// A closed form from exact values: rational coefficients in a basis of functions, reported only if they predict sizes that
// they were not fitted on.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "theory/claims/quantity_meter.hpp"
#include "theory/claims/size_grid.hpp"
#include "theory/formulas/formula.hpp"

namespace popgrad {

// quantity = (sum_k c_k functions[k]) / denominator.
struct FitBasis {
  std::vector<Formula> functions;
  Formula denominator;
};

struct Fitted {
  enum class Outcome {
    found,           // every size that was held out is predicted exactly
    none,            // no combination of the basis has these values
    underdetermined  // the sizes do not determine the coefficients, or too few are left to predict
  };
  Outcome outcome = Outcome::underdetermined;
  std::size_t rank = 0;
  std::optional<Formula> formula;      // found: collected, equal to the fit at every size
  std::vector<Rational> coefficients;  // found: in the order of the basis
  std::vector<Size> fitted, held_out;  // none: held_out are those that the coefficients predicted before one failed
  std::vector<std::size_t>
      dependent;  // underdetermined: functions that are combinations of those before them at these sizes
  // none: the size that contradicts the others; if the fit was determined before it, what it predicts there, and the value.
  std::optional<Size> contradiction;
  std::optional<Rational> predicted, measured;
};

// The values of a quantity at the sizes of a fit, measured once.
struct Samples {
  std::vector<Size> sizes;
  std::vector<Rational> values;
};

// Measures in the order given. Sizes with the largest N come last if there are several N, then sizes go by T, N, t, s: what
// is held out has the largest T and the largest N.
Samples sample(QuantityMeter& meter, std::vector<Size> sizes, const std::function<void(const Size&)>& progress);

// Takes samples in order until they determine the coefficients (numerics/rational_solve.hpp); all others are held out and
// predicted exactly. At least max(3, a quarter of the functions) must be held out. InputError(argument, ...) for a basis
// without functions or a function or denominator without a value (or a denominator 0) at a size.
Fitted fit_closed_form(const std::string& argument, const Samples& samples, const FitBasis& basis);

// Sizes that are held out at least.
std::size_t needed_held_out(std::size_t functions);

}  // namespace popgrad
