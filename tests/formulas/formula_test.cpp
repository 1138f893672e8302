#include "theory/formulas/formula.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/symbols.hpp"

using namespace popgrad;
using symbolic::build;
using symbolic::symbol;

namespace {
Formula h_T() {
  return build([] { return symbolic::remapped_weight(); });
}
}  // namespace

TEST_CASE("a formula evaluates exactly and in double") {
  // T = 6: (6 - 137/60 - 1/3)/4 = 203/240
  CHECK(h_T().evaluate_exact({{"T", 6}}) == Rational(203, 240));
  CHECK(std::abs(h_T().evaluate({{"T", 6}}) - 203.0 / 240) <= 20 * 0x1p-53);
  CHECK(std::abs(h_T().evaluate({{"T", 6.0}}) - 203.0 / 240) <= 20 * 0x1p-53);
  CHECK(h_T().evaluate_exact({{"T", Rational(6)}, {"unused", 3}}) == Rational(203, 240));
}

TEST_CASE("a formula lists its symbols") {
  const Formula f =
      build([] { return GiNaC::ex(symbol("b") + pow(symbol("a"), symbol("n")) * symbolic::harmonic(symbol("T"))); });
  CHECK(f.symbols() == std::vector<std::string>{"T", "a", "b", "n"});
}

TEST_CASE("an unbound symbol is named") {
  try {
    h_T().evaluate_exact({{"N", 6}});
    FAIL("no error");
  } catch (const HypothesisError& error) {
    CHECK(std::string(error.what()).find("T must be bound to a value") != std::string::npos);
  }
  CHECK_THROWS_AS(h_T().evaluate({}), HypothesisError);
}

TEST_CASE("exact evaluation refuses what need not be rational") {
  const Formula root = build([] { return sqrt(GiNaC::ex(symbol("d"))); });
  const Formula exponential = build([] { return exp(GiNaC::ex(symbol("x"))); });
  CHECK_THROWS_AS(root.evaluate_exact({{"d", 4}}), HypothesisError);
  CHECK_THROWS_AS(exponential.evaluate_exact({{"x", 0}}), HypothesisError);
  CHECK(root.evaluate({{"d", 4}}) == 2.0);
  CHECK(exponential.evaluate({{"x", 1}}) == std::exp(1.0));
  CHECK_THROWS_AS(root.evaluate({{"d", -4}}), HypothesisError);
  CHECK_THROWS_AS(h_T().evaluate_exact({{"T", 6.0}}), HypothesisError);  // a double is not taken for a rational
}

TEST_CASE("a zero denominator is an error, not infinity") {
  CHECK_THROWS_AS(h_T().evaluate_exact({{"T", 2}}), HypothesisError);
  CHECK_THROWS_AS(h_T().evaluate({{"T", 2}}), HypothesisError);
}

TEST_CASE("harmonic arguments are checked inside a formula") {
  CHECK_THROWS_AS(h_T().evaluate_exact({{"T", 0}}), HypothesisError);               // H(-1)
  CHECK_THROWS_AS(h_T().evaluate_exact({{"T", Rational(9, 2)}}), HypothesisError);  // H(7/2)
  CHECK_THROWS_AS(h_T().evaluate({{"T", 4.5}}), HypothesisError);
}

TEST_CASE("exponents are bounded") {
  CHECK_THROWS_AS(build([] { return GiNaC::ex(pow(symbol("N"), 1000000000)); }), HypothesisError);
  const Formula power = build([] { return GiNaC::ex(pow(symbol("N"), symbol("T"))); });
  CHECK(power.evaluate_exact({{"N", 3}, {"T", -2}}) == Rational(1, 9));
  CHECK(power.evaluate_exact({{"N", 0}, {"T", 0}}) == 1);
  CHECK(power.evaluate({{"N", 2}, {"T", 10}}) == 1024.0);
  CHECK_THROWS_AS(power.evaluate_exact({{"N", 3}, {"T", 1000000000}}), HypothesisError);
  CHECK_THROWS_AS(power.evaluate({{"N", 3}, {"T", -1e9}}), HypothesisError);
  CHECK_THROWS_AS(power.evaluate_exact({{"N", 0}, {"T", -1}}), HypothesisError);
}

TEST_CASE("expressions that a formula cannot hold are refused") {
  CHECK_THROWS_AS(build([] { return sin(GiNaC::ex(symbol("x"))); }), HypothesisError);
  CHECK_THROWS_AS(build([] { return GiNaC::ex(GiNaC::numeric(0.5)); }), HypothesisError);
  CHECK_THROWS_AS(build([] { return GiNaC::ex(GiNaC::Pi); }), HypothesisError);
  CHECK_THROWS_AS(build([] { return GiNaC::ex(symbol("a<b")); }), HypothesisError);
}
