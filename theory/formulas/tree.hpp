// A closed form after construction: an immutable tree in canonical order, free of GiNaC.
// GiNaC orders terms by addresses and hashes that change between runs; the order here depends on the formula alone, so
// strings and floating results are the same in every run, and any thread may read a tree.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/rational.hpp"

namespace popgrad {

enum class NodeKind { number, symbol, sum, product, power, call };

struct Node;
using NodePtr = std::shared_ptr<const Node>;

// number: `number`. symbol: `name`. sum: children. product: `number` times children, none of them a number or a product.
// power: children = {base, exponent}. call: `name` of the function, children = its arguments.
struct Node {
  NodeKind kind = NodeKind::number;
  Rational number = 0;
  std::string name;
  std::vector<NodePtr> children;
  // Of a sum, kept because finding them prints every term, and printing asks for them: its leading term (largest degree,
  // then smallest string) is negative; another term of that degree has the other sign; the terms of the negated sum.
  bool leads_negative = false, sign_is_free = false;
  std::vector<NodePtr> negation;
};

// Larger exponents are refused when a formula is made (literal exponents) and when it is evaluated (all of them).
inline constexpr int largest_literal_exponent = 64;
inline constexpr int largest_exponent = 1024;

NodePtr number_node(const Rational& value);
NodePtr symbol_node(const std::string& name);
NodePtr call_node(const std::string& name, std::vector<NodePtr> arguments);

// Sorts the terms: degree (largest first), then positive before negative, then the printed string.
NodePtr sum_node(std::vector<NodePtr> nodes);

// Sorts the factors by their printed strings, sums last, short ones first. A factor that is a sum, or an integer power of
// one, gets the sign under which its leading term is positive (largest degree, then smallest string), and the sign moves to
// the coefficient: GiNaC writes either (a - b) or -(b - a), depending on the run.
NodePtr product_node(const Rational& coefficient, std::vector<NodePtr> factors);

NodePtr negated(const NodePtr& node);

// A sum whose leading term has rivals of its own degree and the other sign: -p*(b - a) may be printed as p*(a - b).
inline bool sign_is_free(const Node& node) { return node.sign_is_free; }

// base^exponent; throws HypothesisError for a literal exponent beyond largest_literal_exponent.
NodePtr power_node(const NodePtr& base, const NodePtr& exponent);

}  // namespace popgrad
