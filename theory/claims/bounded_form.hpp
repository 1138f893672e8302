// Closed forms of the shape factor (hat - actual), evaluated with the rounding errors of their inputs.
#pragma once
#include <string>

#include "core/rational.hpp"
#include "core/running_error.hpp"
#include "theory/formulas/formula.hpp"

namespace popgrad {

// Names of the three symbols in the formula.
struct GapForm {
  Formula formula;
  std::string factor, hat, actual;

  // The value comes from the formula; the error is that of factor (hat - actual) with inputs known to within their errors,
  // |factor| (e_hat + e_actual) + e_factor (|hat| + |actual|) to first order and doubled for the rest, plus four roundings.
  RunningError at(const RunningError& factor_value, const RunningError& hat_value, const RunningError& actual_value) const {
    const double value =
        formula.evaluate({{factor, factor_value.value}, {hat, hat_value.value}, {actual, actual_value.value}});
    const double size = std::abs(hat_value.value) + std::abs(actual_value.value);
    const double input = std::abs(factor_value.value) * (hat_value.error + actual_value.error) + factor_value.error * size;
    return {value, 2 * input + 4 * 0x1p-53 * std::abs(factor_value.value) * size};
  }
  Rational at(const Rational& factor_value, const Rational& hat_value, const Rational& actual_value) const {
    return formula.evaluate_exact({{factor, factor_value}, {hat, hat_value}, {actual, actual_value}});
  }
};

}  // namespace popgrad
