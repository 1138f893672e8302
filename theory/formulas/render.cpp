#include "theory/formulas/render.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace popgrad {
namespace {

// |node| as a fraction: factors with a positive exponent above, the others, exponent flipped, below.
struct Fraction {
  bool negative = false;
  std::vector<Piece> above, below;
};

Piece power_piece(const NodePtr& base, const Rational& exponent, const Notation& notation) {
  const Piece inner = render(base, notation);
  if (exponent == 1) return inner;
  if (exponent == Rational(1, 2)) return notation.root(inner);
  return notation.power(inner, render(number_node(exponent), notation));
}

Piece joined(const std::vector<Piece>& factors, const Notation& notation) {
  if (factors.empty()) return notation.number("1");
  return factors.size() == 1 ? factors.front() : notation.product(factors);
}

Fraction split(const Node& node, const Notation& notation) {
  Fraction result;
  Rational number = 1;
  std::vector<NodePtr> factors;
  if (node.kind == NodeKind::number) {
    number = node.number;
  } else if (node.kind == NodeKind::product) {
    number = node.number;
    factors = node.children;
  } else {
    factors = {std::make_shared<const Node>(node)};
  }
  const auto free = std::find_if(factors.begin(), factors.end(), [](const NodePtr& f) { return sign_is_free(*f); });
  if (number < 0 && free != factors.end()) {
    *free = negated(*free);
    number = -number;
  }
  result.negative = number < 0;
  const auto above = abs(numerator(number)), below = denominator(number);
  if (above != 1) result.above.push_back(notation.number(above.str()));
  if (below != 1) result.below.push_back(notation.number(below.str()));
  for (const auto& factor : factors) {
    if (factor->kind == NodeKind::power && factor->children[1]->kind == NodeKind::number) {
      const Rational& exponent = factor->children[1]->number;
      auto& side = exponent < 0 ? result.below : result.above;
      side.push_back(power_piece(factor->children[0], abs(exponent), notation));
    } else {
      result.above.push_back(render(factor, notation));
    }
  }
  return result;
}

// A term without its sign.
std::pair<bool, Piece> signed_term(const Node& node, const Notation& notation) {
  const Fraction parts = split(node, notation);
  const Piece above = joined(parts.above, notation);
  if (parts.below.empty()) return {parts.negative, above};
  return {parts.negative, notation.fraction(above, joined(parts.below, notation))};
}

}  // namespace

Piece render(const NodePtr& node, const Notation& notation) {
  switch (node->kind) {
    case NodeKind::symbol:
      return notation.symbol(node->name);
    case NodeKind::sum: {
      std::vector<std::pair<bool, Piece>> terms;
      for (const auto& child : node->children) {
        if (child->kind == NodeKind::number || child->kind == NodeKind::product)
          terms.push_back(signed_term(*child, notation));
        else
          terms.emplace_back(false, render(child, notation));
      }
      return notation.sum(terms);
    }
    case NodeKind::call: {
      std::vector<Piece> arguments;
      for (const auto& child : node->children) arguments.push_back(render(child, notation));
      if (node->name == "H") return notation.harmonic(arguments);
      if (node->name == "exp") return notation.exponential(arguments.front());
      throw HypothesisError("render", "function", "H or exp", node->name);
    }
    case NodeKind::power:
      if (node->children[1]->kind != NodeKind::number)
        return notation.power(render(node->children[0], notation), render(node->children[1], notation));
      [[fallthrough]];
    case NodeKind::number:
    case NodeKind::product: {
      const auto term = signed_term(*node, notation);
      return term.first ? notation.sum({term}) : term.second;
    }
  }
  throw HypothesisError("render", "node", "of a known kind", "another");
}

}  // namespace popgrad
