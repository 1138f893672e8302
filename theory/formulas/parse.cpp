#include "theory/formulas/parse.hpp"

#include <algorithm>

#include "core/byte_text.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "theory/formulas/arithmetic.hpp"
#include "theory/formulas/tokens.hpp"

namespace popgrad {
namespace {

constexpr int deepest = 20;
constexpr std::size_t longest_text = 4000;

// A tree and a rough bound of the bits of its value, numerator and denominator together.
struct Parsed {
  NodePtr node;
  double bits;
};
constexpr double symbol_bits = 20, harmonic_bits = 2000, most_bits = 4e6;

double bits_of(const Rational& x) { return static_cast<double>(msb(abs(numerator(x)) + 1) + msb(denominator(x))) + 1; }

class Parser {
 public:
  Parser(const std::string& argument, const std::string& text, const Grammar& grammar)
      : argument_(argument), grammar_(grammar), tokens_(tokens_of(argument, text)) {}

  Formula formula() {
    if (next().kind == TokenKind::end) throw InputError(argument_, "an empty text", "a formula such as (N - 1)/(N^2*T)");
    const Parsed all = sum();
    if (next().kind != TokenKind::end) refuse(next(), "one of + - * / ^ or the end");
    return Formula(all.node);
  }

 private:
  const Token& next() const { return tokens_[at_]; }
  bool take(const char* sign) {
    if (next().kind != TokenKind::sign || next().text != sign) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void refuse(const Token& token, const std::string& expected) const {
    throw InputError(at_column(argument_, token.column), shown(token), expected);
  }
  void need(const char* sign, const char* or_else = "") {
    if (!take(sign)) refuse(next(), "one of + - * / ^ or '" + std::string(sign) + "'" + or_else);
  }

  // Every rule that calls itself passes through here.
  template <class Rule>
  Parsed nested(const Token& token, Rule rule) {
    if (++depth_ > deepest)
      throw InputError(at_column(argument_, token.column),
                       "more than " + std::to_string(deepest) + " nested brackets and signs",
                       "at most " + std::to_string(deepest));
    const Parsed inner = rule();
    --depth_;
    return inner;
  }

  Parsed sum() {
    Parsed first = term();
    std::vector<NodePtr> terms = {first.node};
    double bits = first.bits;
    while (true) {
      const bool minus = take("-");
      if (!minus && !take("+")) break;
      const Parsed more = term();
      terms.push_back(minus ? negated(more.node) : more.node);
      bits += more.bits;
    }
    if (terms.size() == 1) return first;
    return limited({added(terms), bits}, tokens_.front());
  }

  Parsed term() {
    Parsed product = signed_power();
    while (true) {
      const Token& sign = next();
      const bool divide = take("/");
      if (!divide && !take("*")) return product;
      if (next().kind == TokenKind::sign && next().text == "*") refuse(next(), "a factor; a power is written ^");
      const Token& start = next();
      const Parsed factor = signed_power();
      if (divide && factor.node->kind == NodeKind::number && factor.node->number == 0)
        throw InputError(at_column(argument_, start.column), "a division by 0", "a denominator other than 0");
      product = limited(
          {multiplied({product.node, divide ? reciprocal(factor.node) : factor.node}), product.bits + factor.bits}, sign);
    }
  }

  Parsed signed_power() {
    const Token& sign = next();
    if (take("+")) return nested(sign, [&] { return signed_power(); });
    if (!take("-")) return power();
    const Parsed inner = nested(sign, [&] { return signed_power(); });
    return {negated(inner.node), inner.bits};
  }

  Parsed exponent() {
    const Token& sign = next();
    if (take("+")) return nested(sign, [&] { return exponent(); });
    if (take("-")) {
      const Parsed inner = nested(sign, [&] { return exponent(); });
      return {negated(inner.node), inner.bits};
    }
    return nested(sign, [&] { return power(); });
  }

  Parsed power() {
    const Parsed base = atom();
    const Token& sign = next();
    if (!take("^")) return base;
    const Token& start = next();
    const Parsed above = exponent();
    double factor = largest_exponent;
    if (above.node->kind == NodeKind::number) {
      const Rational& e = above.node->number;
      if (abs(e) > largest_literal_exponent)
        throw InputError(at_column(argument_, start.column), "the exponent " + one_line(to_string(e), 24),
                         "one of at most " + std::to_string(largest_literal_exponent) + " in magnitude");
      if (grammar_.rational && denominator(e) != 1)
        throw InputError(at_column(argument_, start.column), "the exponent " + one_line(to_string(e), 24),
                         "an integer: the formula is evaluated exactly");
      if (e < 0 && base.node->kind == NodeKind::number && base.node->number == 0)
        throw InputError(at_column(argument_, start.column), "a division by 0", "a denominator other than 0");
      factor = std::max(1.0, to_double(abs(e)));
    }
    const double bits = base.bits * factor;  // before the power is made, which may be a number
    return limited({bits > most_bits ? base.node : raised(base.node, above.node), bits}, sign);
  }

  Parsed atom() {
    const Token token = next();
    if (token.kind == TokenKind::number) {
      ++at_;
      return {number_node(token.value), bits_of(token.value)};
    }
    if (take("(")) {
      const Parsed inner = nested(token, [&] { return sum(); });
      need(")");
      return inner;
    }
    if (token.kind != TokenKind::name) refuse(token, "a number, a symbol, H(n) or '('");
    ++at_;
    if (next().kind == TokenKind::sign && next().text == "(") return call(token);
    const auto& known = grammar_.symbols;
    if (std::find(known.begin(), known.end(), token.text) == known.end()) refuse_name(token);
    return {symbol_node(token.text), symbol_bits};
  }

  Parsed call(const Token& name) {
    const bool root = name.text == "sqrt", harmonic = name.text == "H";
    const bool known = harmonic || (!grammar_.rational && (root || name.text == "exp"));
    if (!known && (root || name.text == "exp"))
      refuse(name, "a rational function of the symbols and H: the formula is evaluated exactly");
    if (!known && (name.text == "log" || name.text == "ln")) refuse(name, "H(n), which grows like log n and is rational");
    if (!known) refuse_name(name);
    const Token bracket = next();
    take("(");
    std::vector<NodePtr> arguments = {nested(bracket, [&] { return sum(); }).node};
    if (harmonic && take(",")) arguments.push_back(nested(bracket, [&] { return sum(); }).node);
    need(")", harmonic && arguments.size() == 1 ? " or ','" : "");
    if (root) return {power_node(arguments.front(), number_node(Rational(1, 2))), symbol_bits};
    return {call_node(name.text, std::move(arguments)), harmonic_bits};
  }

  [[noreturn]] void refuse_name(const Token& token) const {
    std::vector<std::string> names = grammar_.symbols;
    std::string list;
    for (const std::string& name : names) list += name + ", ";
    list += "H(n), H(n, m)";
    names.emplace_back("H");
    throw InputError(at_column(argument_, token.column), "unknown symbol " + shown(token),
                     "one of " + list + did_you_mean(token.text, names));
  }

  Parsed limited(const Parsed& parsed, const Token& token) const {
    if (parsed.bits > most_bits)
      throw InputError(at_column(argument_, token.column), "powers whose value could take more than a million digits",
                       "smaller exponents");
    return parsed;
  }

  const std::string& argument_;
  const Grammar& grammar_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Formula parse_formula(const std::string& argument, const std::string& text, const Grammar& grammar) {
  if (text.size() > longest_text)
    throw InputError(argument, "a formula of " + std::to_string(text.size()) + " characters",
                     "at most " + std::to_string(longest_text));
  return Parser(argument, text, grammar).formula();
}

}  // namespace popgrad
