#include "theory/formulas/collect.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/parse.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"

using namespace popgrad;

namespace {

std::string text_of(const std::string& formula) {
  return collected(parse_formula("x", formula, {{"N", "T", "t", "s"}, true})).text();
}

}  // namespace

TEST_CASE("a formula is collected into one fraction with its common factors out") {
  CHECK(text_of("1/N - 1/N^2") == "(N - 1)/N^2");
  CHECK(text_of("(N^2 - 1)/(N + 1)") == "N - 1");
  CHECK(text_of("N - N") == "0");
  CHECK(text_of("H(T-1)*N/T - H(T-1)/T") == "H(T - 1)*(N - 1)/T");
  CHECK(collected(step1_h()).text() == "(T^2 - T*H(T - 1) - 2)/(T*(T - 2))");
}

TEST_CASE("collecting changes no value") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
      const Formula formula = step2_diag(background, Handoff::actual, blocks), again = collected(formula);
      for (int N = 2; N <= 5; ++N)
        for (int T = 4; T <= 8; ++T)
          CHECK(again.evaluate_exact({{"N", N}, {"T", T}}) == formula.evaluate_exact({{"N", N}, {"T", T}}));
    }
}

TEST_CASE("what is no rational function of symbols and harmonic numbers is refused") {
  const Grammar all{{"N", "T"}, false};
  CHECK_THROWS_AS(collected(parse_formula("x", "sqrt(N)", all)), HypothesisError);
  CHECK_THROWS_AS(collected(parse_formula("x", "N^T", all)), HypothesisError);
  CHECK_THROWS_AS(collected(parse_formula("x", "H(H(N))", all)), HypothesisError);
}
