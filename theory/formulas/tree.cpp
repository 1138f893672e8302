#include "theory/formulas/tree.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "core/errors.hpp"
#include "theory/formulas/render.hpp"

namespace popgrad {
namespace {

NodePtr make(NodeKind kind, const Rational& number, std::string name, std::vector<NodePtr> children) {
  return std::make_shared<const Node>(Node{kind, number, std::move(name), std::move(children), false, false, {}});
}

bool is_integer(const Node& node) { return node.kind == NodeKind::number && denominator(node.number) == 1; }

// Growth in the symbols, doubled: a symbol counts 2, a function 1, so that T comes before H(T - 1) and H(T - 1) before 1.
int degree(const Node& node) {
  switch (node.kind) {
    case NodeKind::number:
      return 0;
    case NodeKind::symbol:
      return 2;
    case NodeKind::call:
      return 1;
    case NodeKind::sum: {
      int most = degree(*node.children.front());
      for (const auto& term : node.children) most = std::max(most, degree(*term));
      return most;
    }
    case NodeKind::product: {
      int total = 0;
      for (const auto& factor : node.children) total += degree(*factor);
      return total;
    }
    case NodeKind::power: {
      const int base = degree(*node.children[0]);
      if (node.children[1]->kind != NodeKind::number) return base;
      return static_cast<int>(base * to_double(node.children[1]->number));
    }
  }
  return 0;
}

Rational coefficient(const Node& term) {
  return term.kind == NodeKind::number || term.kind == NodeKind::product ? term.number : Rational(1);
}

std::string magnitude_text(const NodePtr& term) { return print_text(coefficient(*term) < 0 ? negated(term) : term); }

// The sign of a sum is that of its leading term: largest degree, then smallest string, whatever its own sign. It is a matter
// of taste (`ambiguous`) if another term of that degree has the other sign.
struct Lead {
  bool negative = false;
  bool ambiguous = false;
};

// A term of a sum with what orders it, printed once.
struct Term {
  NodePtr node;
  int degree;
  bool negative;
  std::string text;  // of its magnitude
};

std::vector<Term> terms_of(const std::vector<NodePtr>& nodes) {
  std::vector<Term> terms;
  for (const NodePtr& node : nodes) terms.push_back({node, degree(*node), coefficient(*node) < 0, magnitude_text(node)});
  return terms;
}

Lead lead_of(const std::vector<Term>& terms) {
  const Term& lead = *std::min_element(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::tie(b.degree, a.text) < std::tie(a.degree, b.text);
  });
  const bool ambiguous = std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    return term.degree == lead.degree && term.negative != lead.negative;
  });
  return {lead.negative, ambiguous};
}

// Flips a sum, or the base of an integer power of a sum, to its canonical sign; returns the sign taken out.
int canonical_sign(NodePtr& factor) {
  if (factor->kind == NodeKind::sum && factor->leads_negative) {
    factor = negated(factor);
    return -1;
  }
  if (factor->kind != NodeKind::power) return 1;
  const NodePtr base = factor->children[0], exponent = factor->children[1];
  if (base->kind != NodeKind::sum || !is_integer(*exponent) || !base->leads_negative) return 1;
  factor = make(NodeKind::power, 0, "", {negated(base), exponent});
  return numerator(exponent->number) % 2 == 0 ? 1 : -1;
}

int rank(const Node& factor) {
  const Node& base = factor.kind == NodeKind::power ? *factor.children[0] : factor;
  return base.kind == NodeKind::sum ? 2 : base.kind == NodeKind::call ? 1 : 0;
}

}  // namespace

NodePtr negated(const NodePtr& term) {
  switch (term->kind) {
    case NodeKind::number:
      return number_node(-term->number);
    case NodeKind::product:
      if (term->number == -1 && term->children.size() == 1) return term->children.front();
      return make(NodeKind::product, -term->number, "", term->children);
    case NodeKind::sum:
      return std::make_shared<const Node>(
          Node{NodeKind::sum, 0, "", term->negation, !term->leads_negative, term->sign_is_free, term->children});
    default:
      return make(NodeKind::product, -1, "", {term});
  }
}

NodePtr number_node(const Rational& value) { return make(NodeKind::number, value, "", {}); }
NodePtr symbol_node(const std::string& name) { return make(NodeKind::symbol, 0, name, {}); }
NodePtr call_node(const std::string& name, std::vector<NodePtr> arguments) {
  return make(NodeKind::call, 0, name, std::move(arguments));
}

NodePtr sum_node(std::vector<NodePtr> nodes) {
  std::vector<Term> terms = terms_of(nodes);
  const Lead lead = lead_of(terms);
  // A negated term has the same magnitude: both orders from texts printed once.
  const auto sorted = [&terms](bool negate) {
    std::sort(terms.begin(), terms.end(), [negate](const Term& a, const Term& b) {
      return std::make_tuple(-a.degree, a.negative != negate, std::cref(a.text)) <
             std::make_tuple(-b.degree, b.negative != negate, std::cref(b.text));
    });
    std::vector<NodePtr> list;
    for (const Term& term : terms) list.push_back(negate ? negated(term.node) : term.node);
    return list;
  };
  std::vector<NodePtr> negation = sorted(true), children = sorted(false);
  return std::make_shared<const Node>(
      Node{NodeKind::sum, 0, "", std::move(children), lead.negative, lead.ambiguous, std::move(negation)});
}

NodePtr product_node(const Rational& coefficient_in, std::vector<NodePtr> factors) {
  Rational number = coefficient_in;
  for (auto& factor : factors) number *= canonical_sign(factor);
  if (factors.empty() || number == 0) return number_node(number);
  const auto key = [](const NodePtr& factor) {
    const std::string text = print_text(factor);
    return std::make_tuple(rank(*factor), rank(*factor) == 2 ? text.size() : 0, text);
  };
  std::sort(factors.begin(), factors.end(), [&](const NodePtr& a, const NodePtr& b) { return key(a) < key(b); });
  if (number == 1 && factors.size() == 1) return factors.front();
  return make(NodeKind::product, number, "", std::move(factors));
}

NodePtr power_node(const NodePtr& base, const NodePtr& exponent) {
  if (exponent->kind == NodeKind::number) {
    const Rational& e = exponent->number;
    require(e <= largest_literal_exponent && e >= -largest_literal_exponent, "power_node", "exponent",
            "at most " + std::to_string(largest_literal_exponent) + " in magnitude", to_string(e));
  }
  return make(NodeKind::power, 0, "", {base, exponent});
}

}  // namespace popgrad
