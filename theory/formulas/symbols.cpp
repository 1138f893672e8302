#include "theory/formulas/symbols.hpp"

#include <map>
#include <sstream>
#include <vector>

#include "core/errors.hpp"
#include "theory/formulas/symbol_parts.hpp"

namespace popgrad::symbolic {

// GiNaC tells functions of one name apart by their number of arguments only if they are registered separately.
DECLARE_FUNCTION_1P(harmonic_number)
DECLARE_FUNCTION_2P(harmonic_number_of_order)
REGISTER_FUNCTION(harmonic_number, dummy())
REGISTER_FUNCTION(harmonic_number_of_order, dummy())

namespace {

std::string digits(const GiNaC::numeric& integer) {
  std::ostringstream out;
  out << integer;
  return out.str();
}

std::string shown(const GiNaC::ex& expression) {
  std::ostringstream out;
  out << expression;
  return out.str();
}

Rational rational(const GiNaC::numeric& number) {
  require(number.is_rational(), "freeze", "number", "rational", shown(number));
  return Rational(digits(number.numer()) + "/" + digits(number.denom()));
}

NodePtr freeze_product(const GiNaC::ex& expression) {
  Rational coefficient = 1;
  std::vector<NodePtr> factors;
  for (std::size_t i = 0; i < expression.nops(); ++i) {
    const GiNaC::ex factor = expression.op(i);
    if (GiNaC::is_a<GiNaC::numeric>(factor)) {
      coefficient *= rational(GiNaC::ex_to<GiNaC::numeric>(factor));
      continue;
    }
    const NodePtr node = freeze(factor);
    if (node->kind == NodeKind::product) {  // a power whose sign came out
      coefficient *= node->number;
      factors.insert(factors.end(), node->children.begin(), node->children.end());
    } else {
      factors.push_back(node);
    }
  }
  return product_node(coefficient, std::move(factors));
}

NodePtr freeze_call(const GiNaC::ex& expression) {
  const std::string name = GiNaC::ex_to<GiNaC::function>(expression).get_name();
  std::vector<NodePtr> arguments;
  for (std::size_t i = 0; i < expression.nops(); ++i) arguments.push_back(freeze(expression.op(i)));
  if (name == "exp") return call_node("exp", std::move(arguments));
  require(name == "harmonic_number" || name == "harmonic_number_of_order", "freeze", "function", "H or exp", name);
  return call_node("H", std::move(arguments));
}

}  // namespace

std::mutex& algebra() {
  static std::mutex mutex;
  return mutex;
}

const GiNaC::symbol& symbol(const std::string& name) {
  static std::map<std::string, GiNaC::symbol> symbols;
  const auto found = symbols.find(name);
  if (found != symbols.end()) return found->second;
  symbol_parts(name);  // refuses a name that could not be printed
  return symbols.emplace(name, GiNaC::symbol(name)).first->second;
}

GiNaC::ex harmonic(const GiNaC::ex& n) { return harmonic_number(n); }
GiNaC::ex harmonic(const GiNaC::ex& n, const GiNaC::ex& m) { return harmonic_number_of_order(n, m); }

NodePtr freeze(const GiNaC::ex& expression) {
  if (GiNaC::is_a<GiNaC::numeric>(expression)) return number_node(rational(GiNaC::ex_to<GiNaC::numeric>(expression)));
  if (GiNaC::is_a<GiNaC::symbol>(expression)) return symbol_node(GiNaC::ex_to<GiNaC::symbol>(expression).get_name());
  if (GiNaC::is_a<GiNaC::mul>(expression)) return freeze_product(expression);
  if (GiNaC::is_a<GiNaC::power>(expression))
    return product_node(1, {power_node(freeze(expression.op(0)), freeze(expression.op(1)))});
  if (GiNaC::is_a<GiNaC::add>(expression)) {
    std::vector<NodePtr> terms;
    for (std::size_t i = 0; i < expression.nops(); ++i) terms.push_back(freeze(expression.op(i)));
    return sum_node(std::move(terms));
  }
  require(GiNaC::is_a<GiNaC::function>(expression), "freeze", "expression", "made of + * ^, H and exp", shown(expression));
  return freeze_call(expression);
}

}  // namespace popgrad::symbolic
