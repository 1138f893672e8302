#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "theory/formulas/render.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/symbol_parts.hpp"
#include "theory/formulas/symbols.hpp"
#include "well_formed.hpp"

using namespace popgrad;
using symbolic::build;
using symbolic::symbol;

namespace {

// a/(c (b - a)^3) - 2 c H(b)^2 + (a + b)/c - 1 from symbols made and terms added in a given order; GiNaC sorts by the order
// in which symbols were made, so each order gives it another internal form.
std::string printed(std::vector<std::string> order, bool reverse) {
  std::map<std::string, GiNaC::symbol> s;
  for (const auto& name : order) s.emplace(name, GiNaC::symbol(name));
  const GiNaC::ex a = s.at("a"), b = s.at("b"), c = s.at("c");
  std::vector<GiNaC::ex> terms = {a / (c * pow(reverse ? b - a : -a + b, 3)), -2 * c * pow(symbolic::harmonic(b), 2),
                                  (reverse ? b + a : a + b) / c, -1};
  if (reverse) std::reverse(terms.begin(), terms.end());
  GiNaC::ex sum = 0;
  for (const auto& term : terms) sum += term;
  const NodePtr tree = symbolic::freeze(sum);
  return print_text(tree) + "\n" + print_latex(tree) + "\n" + print_mathml(tree);
}

}  // namespace

TEST_CASE("text of a formula") {
  CHECK(step1_h().text() == "(T - H(T - 1) - 2/T)/(T - 2)");
  CHECK(step1_ue_diag().text() == "(1 - 1/N)/(N*T)");
  CHECK(step1_ue_off().text() == "-1/(N^2*T)");
  CHECK(step1_position().text() == "0");
  CHECK(build([] { return sqrt(GiNaC::ex(symbol("d"))) * exp(-symbol("x")); }).text() == "sqrt(d)*exp(-x)");
  CHECK(build([] { return GiNaC::ex(pow(symbol("N"), symbol("T") - 1)); }).text() == "N^(T - 1)");
  CHECK(build([] { return GiNaC::ex(GiNaC::numeric(-3, 4) * symbol("x")); }).text() == "-3*x/4");
}

TEST_CASE("LaTeX of a formula") {
  CHECK(step1_h().latex() == "\\frac{T - H_{T - 1} - \\frac{2}{T}}{T - 2}");
  CHECK(build([] { return GiNaC::ex(pow(symbolic::harmonic(symbol("n"), 2), 3)); }).latex() ==
        "\\left(H_{n}^{(2)}\\right)^{3}");
  CHECK(build([] { return GiNaC::ex(symbol("eta1") * symbol("muhat_k")); }).latex() == "\\eta_{1}\\,\\hat{\\mu}_{k}");
}

TEST_CASE("MathML of a formula") {
  CHECK(step1_ue_off().mathml() ==
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow><mo>&#x2212;</mo><mfrac><mn>1</mn><mrow><msup><mi>N</mi>"
        "<mn>2</mn></msup><mo>&#x2062;</mo><mi>T</mi></mrow></mfrac></mrow></math>");
  CHECK(popgrad_test::well_formed(step1_h().mathml()));
}

TEST_CASE("the well-formedness check refuses broken XML") {
  CHECK(popgrad_test::well_formed("<a><b>x</b></a>"));
  CHECK_FALSE(popgrad_test::well_formed("<a><b>x</a></b>"));
  CHECK_FALSE(popgrad_test::well_formed("<a>x & y</a>"));
  CHECK_FALSE(popgrad_test::well_formed("<a>x</a><b></b>"));
  CHECK_FALSE(popgrad_test::well_formed("<a>"));
  CHECK_FALSE(popgrad_test::well_formed(""));
}

TEST_CASE("printing does not depend on the order of construction") {
  std::vector<std::string> order = {"a", "b", "c"};
  const std::string first = printed(order, false);
  do {
    for (const bool reverse : {false, true}) CHECK(printed(order, reverse) == first);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(first.substr(0, first.find('\n')) == "-2*c*H(b)^2 + (a + b)/c - 1 - a/(c*(a - b)^3)");
}

TEST_CASE("a - b and -(b - a) as a factor print alike, a - b and b - a do not") {
  const auto text = [](int sign, int times) {
    return build([=] { return GiNaC::ex(times * symbol("p") * (sign * symbol("a") - sign * symbol("b"))); }).text();
  };
  CHECK(text(1, 1) == "p*(a - b)");
  CHECK(text(-1, -1) == "p*(a - b)");
  CHECK(text(-1, 1) == "p*(b - a)");
  CHECK(text(1, -1) == "p*(b - a)");
}

TEST_CASE("the printed text has the value of the formula") {
  // A sign lost on the way from GiNaC to the tree would show as a difference from the expression evaluated by GiNaC itself.
  const auto expression = [] {
    const auto a = symbol("a"), b = symbol("b"), c = symbol("c");
    return GiNaC::ex(a / (c * pow(b - a, 3)) - 2 * c * pow(1 - b, 5) * (c - a) + (a - b) / pow(-c - b, 2) -
                     GiNaC::numeric(1, 3));
  };
  const GiNaC::ex value = expression().subs(GiNaC::lst{symbol("a") == 2, symbol("b") == 5, symbol("c") == 7});
  // 2/(7*27) - 14*(-1024)*5 + (-3)/144 - 1/3
  CHECK(value == GiNaC::numeric(2, 189) + 71680 - GiNaC::numeric(1, 48) - GiNaC::numeric(1, 3));
  CHECK(build(expression).evaluate_exact({{"a", 2}, {"b", 5}, {"c", 7}}) ==
        Rational(2, 189) + 71680 - Rational(1, 48) - Rational(1, 3));
}

TEST_CASE("names of symbols are taken apart") {
  const SymbolParts hat = symbol_parts("muhat_k");
  CHECK(hat.base == "mu");
  CHECK(hat.greek);
  CHECK(hat.accent == Accent::hat);
  CHECK(hat.subscript == "k");
  CHECK(symbol_parts("eta1").subscript == "1");
  CHECK(symbol_parts("sbar").accent == Accent::bar);
  CHECK(symbol_parts("bar").base == "bar");  // nothing left to put the bar on
  CHECK_FALSE(symbol_parts("N").greek);
  for (const char* bad : {"", "_k", "a_", "1a", "a-b", "a<b", "a_k_j"}) CHECK_THROWS(symbol_parts(bad));
}
