#include "theory/claims/closed_form_fit.hpp"

#include <algorithm>
#include <tuple>

#include "core/errors.hpp"
#include "numerics/rational_solve.hpp"
#include "theory/formulas/arithmetic.hpp"
#include "theory/formulas/collect.hpp"

namespace popgrad {
namespace {

Rational value_at(const std::string& argument, const Formula& formula, const Size& size) {
  try {
    return formula.evaluate_exact(size.bindings());
  } catch (const HypothesisError& error) {
    throw InputError(argument, formula.text() + " at " + size.describe(),
                     std::string("a function with a value there (") + error.what() + ")");
  }
}

std::vector<Equation> equations_of(const std::string& argument, const Samples& samples, const FitBasis& basis) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < samples.sizes.size(); ++i) {
    const Rational denominator = value_at(argument, basis.denominator, samples.sizes[i]);
    if (denominator.is_zero())
      throw InputError(argument,
                       "the denominator " + basis.denominator.text() + ", which is 0 at " + samples.sizes[i].describe(),
                       "one that is not 0 on the grid");
    Equation equation;
    for (const Formula& function : basis.functions)
      equation.coefficients.push_back(value_at(argument, function, samples.sizes[i]));
    equation.right = samples.values[i] * denominator;
    equations.push_back(std::move(equation));
  }
  return equations;
}

Rational combined(const std::vector<Rational>& coefficients, const Equation& equation) {
  Rational sum = 0;
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    if (!coefficients[k].is_zero()) sum += coefficients[k] * equation.coefficients[k];
  return sum;
}

Formula closed_form(const FitBasis& basis, const std::vector<Rational>& coefficients) {
  std::vector<NodePtr> terms;
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    if (!coefficients[k].is_zero()) terms.push_back(multiplied({number_node(coefficients[k]), basis.functions[k].tree()}));
  const Formula plain(multiplied({added(terms), reciprocal(basis.denominator.tree())}));
  try {
    return collected(plain);
  } catch (const HypothesisError&) {
    return plain;  // powers such as 2^T
  }
}

}  // namespace

std::size_t needed_held_out(std::size_t functions) { return std::max<std::size_t>(3, (functions + 3) / 4); }

Samples sample(QuantityMeter& meter, std::vector<Size> sizes, const std::function<void(const Size&)>& progress) {
  int smallest_N = sizes.front().N, largest_N = sizes.front().N;
  for (const Size& size : sizes) {
    smallest_N = std::min(smallest_N, size.N);
    largest_N = std::max(largest_N, size.N);
  }
  const auto key = [&](const Size& size) {
    return std::tuple(smallest_N < largest_N && size.N == largest_N, size.T, size.N, size.t, size.s);
  };
  std::stable_sort(sizes.begin(), sizes.end(), [&](const Size& a, const Size& b) { return key(a) < key(b); });
  Samples samples{std::move(sizes), {}};
  for (const Size& size : samples.sizes) {
    progress(size);
    samples.values.push_back(meter.at(size));
  }
  return samples;
}

Fitted fit_closed_form(const std::string& argument, const Samples& samples, const FitBasis& basis) {
  if (basis.functions.empty()) throw InputError(argument, "no function", "at least one");
  const std::vector<Equation> equations = equations_of(argument, samples, basis);
  const RationalSolution solution = solve_in_order(equations, basis.functions.size());
  Fitted result;
  result.rank = solution.rank;
  const auto used = static_cast<std::ptrdiff_t>(solution.used);
  result.fitted.assign(samples.sizes.begin(), samples.sizes.begin() + used);
  if (solution.kind == RationalSolution::Kind::inconsistent) {
    result.outcome = Fitted::Outcome::none;
    result.contradiction = samples.sizes[solution.contradiction];
    result.measured = samples.values[solution.contradiction];
    return result;
  }
  if (solution.kind == RationalSolution::Kind::underdetermined) {
    result.dependent = solution.free;
    return result;
  }
  for (std::size_t i = solution.used; i < equations.size(); ++i) {
    const Rational predicted = combined(solution.values, equations[i]);
    if (predicted != equations[i].right) {
      result.outcome = Fitted::Outcome::none;
      result.contradiction = samples.sizes[i];
      result.predicted = predicted / value_at(argument, basis.denominator, samples.sizes[i]);
      result.measured = samples.values[i];
      return result;
    }
    result.held_out.push_back(samples.sizes[i]);
  }
  if (result.held_out.size() < needed_held_out(basis.functions.size())) return result;
  const Formula formula = closed_form(basis, solution.values);
  for (std::size_t i = 0; i < samples.sizes.size(); ++i)
    require(value_at(argument, formula, samples.sizes[i]) == samples.values[i], "fit_closed_form", "collected formula",
            "equal to the fit at " + samples.sizes[i].describe(), formula.text());
  result.outcome = Fitted::Outcome::found;
  result.formula = formula;
  result.coefficients = solution.values;
  return result;
}

}  // namespace popgrad
