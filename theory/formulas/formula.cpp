#include "theory/formulas/formula.hpp"

#include <cmath>
#include <set>

#include "core/errors.hpp"
#include "theory/formulas/harmonic.hpp"
#include "theory/formulas/render.hpp"
#include "theory/formulas/tree.hpp"

namespace popgrad {
namespace {

std::string show(double x) { return std::to_string(x); }
std::string show(const Rational& x) { return to_string(x); }

template <class Scalar>
bool is_integer(const Scalar& x);
template <>
bool is_integer(const double& x) {
  return std::floor(x) == x;
}
template <>
bool is_integer(const Rational& x) {
  return denominator(x) == 1;
}

template <class Scalar>
Scalar integer_power(Scalar base, const Scalar& exponent) {
  require(exponent <= largest_exponent && exponent >= -largest_exponent, "Formula::evaluate", "exponent",
          "at most " + std::to_string(largest_exponent) + " in magnitude", show(exponent));
  const int e = static_cast<int>(exponent);
  require(e >= 0 || base != 0, "Formula::evaluate", "denominator", "non-zero", "0");
  Scalar result = 1;
  for (int left = std::abs(e); left > 0; left /= 2) {
    if (left % 2 == 1) result *= base;
    if (left > 1) base *= base;
  }
  return e < 0 ? Scalar(1 / result) : result;
}

template <class Scalar>
struct Arithmetic;

template <>
struct Arithmetic<double> {
  static double constant(const Rational& x) { return to_double(x); }
  static double symbol(const std::string&, const Value& value) { return value.number(); }
  static double power(double base, double exponent) {
    require(base > 0 || (base == 0 && exponent > 0), "Formula::evaluate", "base of a fractional power", "positive",
            show(base));
    return exponent == 0.5 ? std::sqrt(base) : std::pow(base, exponent);
  }
  static double exponential(double x) { return std::exp(x); }
  static double harmonic_number(double n, double m) { return harmonic(n, m); }
};

template <>
struct Arithmetic<Rational> {
  static Rational constant(const Rational& x) { return x; }
  static Rational symbol(const std::string& name, const Value& value) {
    require(value.exact(), "Formula::evaluate_exact", name.c_str(), "an integer or a rational", show(value.number()));
    return value.rational();
  }
  static Rational power(const Rational&, const Rational& exponent) {
    throw HypothesisError("Formula::evaluate_exact", "exponent", "an integer", show(exponent));
  }
  static Rational exponential(const Rational& x) {
    throw HypothesisError("Formula::evaluate_exact", "formula", "rational", "exp(" + show(x) + ")");
  }
  static Rational harmonic_number(const Rational& n, const Rational& m) { return harmonic_exact(n, m); }
};

template <class Scalar>
Scalar value_of(const Node& node, const Bindings& bindings) {
  using A = Arithmetic<Scalar>;
  const auto child = [&](std::size_t i) { return value_of<Scalar>(*node.children[i], bindings); };
  switch (node.kind) {
    case NodeKind::number:
      return A::constant(node.number);
    case NodeKind::symbol: {
      const auto found = bindings.find(node.name);
      require(found != bindings.end(), "Formula::evaluate", node.name.c_str(), "bound to a value", "no value");
      return A::symbol(node.name, found->second);
    }
    case NodeKind::sum: {
      Scalar total = 0;
      for (std::size_t i = 0; i < node.children.size(); ++i) total += child(i);
      return total;
    }
    case NodeKind::product: {
      Scalar total = A::constant(node.number);
      for (std::size_t i = 0; i < node.children.size(); ++i) total *= child(i);
      return total;
    }
    case NodeKind::power: {
      const Scalar exponent = child(1);
      return is_integer(exponent) ? integer_power(child(0), exponent) : A::power(child(0), exponent);
    }
    case NodeKind::call:
      if (node.name == "exp") return A::exponential(child(0));
      require(node.name == "H", "Formula::evaluate", "function", "H or exp", node.name);
      return A::harmonic_number(child(0), node.children.size() > 1 ? child(1) : Scalar(1));
  }
  throw HypothesisError("Formula::evaluate", "node", "of a known kind", "another");
}

void collect(const Node& node, std::set<std::string>& names) {
  if (node.kind == NodeKind::symbol) names.insert(node.name);
  for (const auto& child : node.children) collect(*child, names);
}

}  // namespace

std::string Formula::text() const { return print_text(tree_); }
std::string Formula::latex() const { return print_latex(tree_); }
std::string Formula::mathml() const { return print_mathml(tree_); }

std::vector<std::string> Formula::symbols() const {
  std::set<std::string> names;
  collect(*tree_, names);
  return {names.begin(), names.end()};
}

double Formula::evaluate(const Bindings& bindings) const { return value_of<double>(*tree_, bindings); }
Rational Formula::evaluate_exact(const Bindings& bindings) const { return value_of<Rational>(*tree_, bindings); }

}  // namespace popgrad
