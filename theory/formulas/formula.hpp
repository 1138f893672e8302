// A closed form: evaluated exactly or in double, and printed as text, LaTeX and MathML, all from one tree.
#pragma once
#include <concepts>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/rational.hpp"

namespace popgrad {

struct Node;  // theory/formulas/tree.hpp

// What a symbol stands for: an exact number (integer or rational) or a double.
class Value {
 public:
  template <std::integral Integer>
  Value(Integer exact) : value_(Rational(exact)) {}
  Value(const Rational& exact) : value_(exact) {}
  Value(double number) : value_(number) {}

  bool exact() const { return std::holds_alternative<Rational>(value_); }
  double number() const { return exact() ? to_double(std::get<Rational>(value_)) : std::get<double>(value_); }
  const Rational& rational() const { return std::get<Rational>(value_); }  // only if exact()

 private:
  std::variant<Rational, double> value_;
};

using Bindings = std::map<std::string, Value>;  // {{"N", 4}, {"T", 6}}; symbols that do not occur are ignored

// Immutable and cheap to copy; any thread may use it.
class Formula {
 public:
  explicit Formula(std::shared_ptr<const Node> tree) : tree_(std::move(tree)) {}

  std::string text() const;
  std::string latex() const;   // without dollar signs
  std::string mathml() const;  // one <math> element

  std::vector<std::string> symbols() const;  // names, sorted

  // Both throw HypothesisError for an unbound symbol (named), a zero denominator, an exponent beyond 1024 in magnitude,
  // and a harmonic number H(n) or H(n, m) unless n >= 0 and m >= 1 are integers.
  // evaluate: rounded at every node, terms in the printed order, so the bits are the same in every run.
  // evaluate_exact: also throws for a node that need not be rational (root, exp) and for a symbol bound to a double.
  double evaluate(const Bindings& bindings) const;
  Rational evaluate_exact(const Bindings& bindings) const;

  const std::shared_ptr<const Node>& tree() const { return tree_; }

 private:
  std::shared_ptr<const Node> tree_;
};

}  // namespace popgrad
