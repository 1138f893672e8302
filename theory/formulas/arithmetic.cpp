#include "theory/formulas/arithmetic.hpp"

#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

bool is_number(const NodePtr& node) { return node->kind == NodeKind::number; }
bool is_integer(const NodePtr& node) { return is_number(node) && denominator(node->number) == 1; }

Rational integer_power(Rational base, int exponent) {
  Rational result = 1;
  for (int left = std::abs(exponent); left > 0; left /= 2) {
    if (left % 2 == 1) result *= base;
    base *= base;
  }
  return exponent < 0 ? Rational(1 / result) : result;
}

}  // namespace

NodePtr added(const std::vector<NodePtr>& terms) {
  Rational constant = 0;
  std::vector<NodePtr> rest;
  const auto add = [&](const NodePtr& term) {
    if (is_number(term))
      constant += term->number;
    else
      rest.push_back(term);
  };
  for (const NodePtr& term : terms) {
    if (term->kind != NodeKind::sum)
      add(term);
    else
      for (const NodePtr& inner : term->children) add(inner);
  }
  if (constant != 0) rest.push_back(number_node(constant));
  if (rest.empty()) return number_node(0);
  return rest.size() == 1 ? rest.front() : sum_node(std::move(rest));
}

NodePtr multiplied(const std::vector<NodePtr>& factors) {
  Rational coefficient = 1;
  std::vector<NodePtr> rest;
  for (const NodePtr& factor : factors) {
    if (is_number(factor)) {
      coefficient *= factor->number;
    } else if (factor->kind == NodeKind::product) {
      coefficient *= factor->number;
      rest.insert(rest.end(), factor->children.begin(), factor->children.end());
    } else {
      rest.push_back(factor);
    }
  }
  NodePtr product = product_node(coefficient, std::move(rest));
  // -(a + b) is the sum -a - b, as a sign before it would read.
  const bool negative_sum = product->kind == NodeKind::product && product->number == -1 && product->children.size() == 1 &&
                            product->children.front()->kind == NodeKind::sum;
  return negative_sum ? negated(product->children.front()) : product;
}

NodePtr reciprocal(const NodePtr& node) {
  if (is_number(node)) {
    require(node->number != 0, "reciprocal", "denominator", "non-zero", "0");
    return number_node(1 / node->number);
  }
  if (node->kind == NodeKind::product) {
    std::vector<NodePtr> factors = {number_node(1 / node->number)};
    for (const NodePtr& factor : node->children) factors.push_back(reciprocal(factor));
    return multiplied(factors);
  }
  if (node->kind == NodeKind::power && is_number(node->children[1]))
    return raised(node->children[0], number_node(-node->children[1]->number));
  return raised(node, number_node(-1));
}

NodePtr raised(const NodePtr& base, const NodePtr& exponent) {
  if (is_number(exponent) && exponent->number == 1) return base;
  NodePtr power = power_node(base, exponent);  // refuses literal exponents that are too large
  if (!is_integer(exponent)) return power;
  const int e = static_cast<int>(exponent->number);
  if (is_number(base)) {
    require(e >= 0 || base->number != 0, "raised", "denominator", "non-zero", "0");
    return number_node(integer_power(base->number, e));
  }
  return multiplied({power});  // takes the sign out of the power of a sum
}

}  // namespace popgrad
