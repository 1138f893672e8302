#include "theory/formulas/collect.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "theory/formulas/render.hpp"
#include "theory/formulas/symbols.hpp"

namespace popgrad {
namespace {

// A function among the arguments.
bool calls(const Node& node) {
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const NodePtr& child) { return child->kind == NodeKind::call || calls(*child); });
}

// Harmonic numbers as symbols of their own, so that GiNaC sees polynomials.
class Harmonics {
 public:
  GiNaC::ex expression(const Node& node) {
    switch (node.kind) {
      case NodeKind::number:
        return GiNaC::numeric(to_string(node.number).c_str());
      case NodeKind::symbol:
        return symbolic::symbol(node.name);
      case NodeKind::sum: {
        GiNaC::ex total = 0;
        for (const NodePtr& child : node.children) total += expression(*child);
        return total;
      }
      case NodeKind::product: {
        GiNaC::ex total = GiNaC::numeric(to_string(node.number).c_str());
        for (const NodePtr& child : node.children) total *= expression(*child);
        return total;
      }
      case NodeKind::power: {
        const Node& exponent = *node.children[1];
        require(exponent.kind == NodeKind::number && denominator(exponent.number) == 1, "collected", "exponent",
                "an integer", "another");
        return pow(expression(*node.children[0]), static_cast<int>(exponent.number));
      }
      case NodeKind::call:
        break;
    }
    require(node.name == "H" && !calls(node), "collected", "function", "H of a rational function of the symbols",
            print_text(std::make_shared<const Node>(node)));
    const std::string text = print_text(std::make_shared<const Node>(node));
    const auto [found, added] = names_.try_emplace(text, GiNaC::symbol(text), GiNaC::ex());
    if (added) {
      std::vector<GiNaC::ex> arguments;
      for (const NodePtr& child : node.children) arguments.push_back(expression(*child));
      found->second.second =
          arguments.size() == 1 ? symbolic::harmonic(arguments[0]) : symbolic::harmonic(arguments[0], arguments[1]);
    }
    return found->second.first;
  }

  std::vector<GiNaC::symbol> symbols() const {
    std::vector<GiNaC::symbol> list;
    for (const auto& [text, entry] : names_) list.push_back(entry.first);
    return list;
  }
  GiNaC::ex restored(const GiNaC::ex& expression) const {
    GiNaC::exmap back;
    for (const auto& [text, entry] : names_) back[entry.first] = entry.second;
    return expression.subs(back);
  }

 private:
  std::map<std::string, std::pair<GiNaC::symbol, GiNaC::ex>> names_;
};

struct Term {
  GiNaC::ex coefficient, harmonics;
};

// A polynomial as a sum of monomials in `symbols` from `from` on.
void split(const GiNaC::ex& polynomial, const std::vector<GiNaC::symbol>& symbols, std::size_t from,
           const GiNaC::ex& monomial, std::vector<Term>& terms) {
  if (polynomial.is_zero()) return;
  if (from == symbols.size()) {
    terms.push_back({polynomial, monomial});
    return;
  }
  const GiNaC::ex expanded = polynomial.expand();
  for (int power = expanded.ldegree(symbols[from]); power <= expanded.degree(symbols[from]); ++power)
    split(expanded.coeff(symbols[from], power), symbols, from + 1, monomial * pow(symbols[from], power), terms);
}

// Factored, unless a degree is so large that this may take long.
GiNaC::ex factored(const GiNaC::ex& polynomial) {
  constexpr int largest_degree = 24;
  for (auto part = polynomial.preorder_begin(); part != polynomial.preorder_end(); ++part)
    if (GiNaC::is_a<GiNaC::symbol>(*part) && polynomial.degree(*part) > largest_degree) return polynomial;
  return factor(polynomial);
}

GiNaC::ex collected_expression(const Node& tree) {
  Harmonics harmonics;
  const GiNaC::ex fraction = harmonics.expression(tree).numer_denom();
  const GiNaC::ex above = fraction.op(0).expand(), below = fraction.op(1);
  std::vector<Term> terms;
  split(above, harmonics.symbols(), 0, 1, terms);
  if (terms.empty()) return 0;
  GiNaC::ex common = terms.front().coefficient;
  for (const Term& term : terms) common = gcd(common, term.coefficient);
  GiNaC::ex sum = 0;
  for (const Term& term : terms) sum += factored((term.coefficient / common).normal()) * harmonics.restored(term.harmonics);
  return factored(common) * sum / harmonics.restored(factored(below));
}

}  // namespace

Formula collected(const Formula& formula) {
  return symbolic::build([&] { return collected_expression(*formula.tree()); });
}

}  // namespace popgrad
