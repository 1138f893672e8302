#include "theory/formulas/parse.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <set>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/catalogue.hpp"
#include "theory/formulas/step2.hpp"

using namespace popgrad;

namespace {

const Grammar sizes{{"N", "T", "t", "s"}, true};

Rational at(const std::string& text, const Bindings& bindings = {{"N", 4}, {"T", 6}, {"t", 3}, {"s", 2}}) {
  return parse_formula("equals", text, sizes).evaluate_exact(bindings);
}

// What a refusal says; empty if there is none.
std::string refusal(const std::string& text, const Grammar& grammar = sizes) {
  try {
    parse_formula("equals", text, grammar);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Not std::string(n, c): g++ 12 takes the sum of such strings for an overflow.
std::string repeated(int count, char c) {
  std::string text;
  for (int i = 0; i < count; ++i) text.push_back(c);
  return text;
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("precedence is that of mathematics") {
  CHECK(at("-N^2") == -16);
  CHECK(at("(-N)^2") == 16);
  CHECK(at("2^3^2") == 512);
  CHECK(at("2^-1") == Rational(1, 2));
  CHECK(at("-2^-2") == Rational(-1, 4));
  CHECK(at("1 - 2 - 3") == -4);
  CHECK(at("1 - (2 - 3)") == 2);
  CHECK(at("24/2/3") == 4);
  CHECK(at("24/2*3") == 36);
  CHECK(at("24/(2*3)") == 4);
  CHECK(at("2*-N") == -8);
  CHECK(at("N - -T") == 10);
  CHECK(at("+N") == 4);
  CHECK(at("1 + 2*N^2/T") == Rational(19, 3));
  CHECK(at("-N^2*T") == -96);
  CHECK(at("2^N*3^(T - N)") == 144);
  CHECK(at("1/N/T") == Rational(1, 24));
  CHECK(at("N/T^2") == Rational(1, 9));
  CHECK(at("0.25 + 1.50") == Rational(7, 4));
  CHECK(at("010 + 0") == 10);  // no octal
  CHECK(at(" N\t+\nT ") == 10);
}

TEST_CASE("harmonic numbers take a formula as argument") {
  CHECK(at("H(T-1)") == Rational(137, 60));
  CHECK(at("H(T - 1, 2)") == Rational(5269, 3600));
  CHECK(at("H(3)^2 - H(0)") == Rational(121, 36));
  CHECK(at("(T - H(T-1) - 2/T)/(T-2)") == Rational(203, 240));
}

TEST_CASE("a printed closed form reads back as the same closed form") {
  std::set<std::string> names;
  const Grammar all{{"N", "T", "t", "s", "d", "B", "k", "eta", "h_T", "X", "Y", "Z", "X_R", "Z_R"}, false};
  int read = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!refusal(entry.text, all).empty()) continue;  // symbols of the lemmas are not listed
    INFO(entry.claim << " " << entry.name << ": " << entry.text);
    const Formula again = parse_formula("x", entry.text, all);
    CHECK(parse_formula("x", again.text(), all).text() == again.text());
    ++read;
  }
  CHECK(read >= 40);
}

TEST_CASE("reading what was printed changes no value") {
  // A small generator of trees over all rules; every text is read, printed, read again and evaluated at sizes.
  std::uint64_t state = 12345;
  const auto draw = [&](int n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state >> 33U) % static_cast<std::uint64_t>(n));
  };
  std::function<std::string(int)> text = [&](int depth) -> std::string {
    const int rule = depth == 0 ? draw(3) : draw(9);
    switch (rule) {
      case 0:
        return std::to_string(1 + draw(5));
      case 1:
        return draw(2) == 0 ? "N" : "T";
      case 2:
        return draw(2) == 0 ? "H(T - 1)" : "H(N, 2)";
      case 3:
        return "(" + text(depth - 1) + " - " + text(depth - 1) + ")";
      case 4:
        return "(" + text(depth - 1) + " + " + text(depth - 1) + ")";
      case 5:
        return "(-" + text(depth - 1) + ")";
      case 6:
        return text(depth - 1) + "^" + std::to_string(draw(4));
      case 7:
        return text(depth - 1) + "/(" + text(depth - 1) + ")";
      default:
        return text(depth - 1) + "*" + text(depth - 1);
    }
  };
  const auto value = [](const Formula& formula, const Bindings& where) -> std::optional<Rational> {
    try {
      return formula.evaluate_exact(where);
    } catch (const HypothesisError&) {
      return std::nullopt;  // a zero denominator
    }
  };
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string source = text(4);
    if (!refusal(source).empty()) continue;  // 1/0 in numbers
    const Formula first = parse_formula("x", source, sizes);
    INFO(source << " -> " << first.text());
    const Formula second = parse_formula("x", first.text(), sizes);
    CHECK(second.text() == first.text());
    for (const auto& [N, T] : {std::pair{4, 6}, std::pair{7, 5}}) {
      const auto before = value(first, {{"N", N}, {"T", T}}), after = value(second, {{"N", N}, {"T", T}});
      if (!before || !after) continue;
      CHECK(*before == *after);
      ++compared;
    }
  }
  CHECK(compared > 2000);
}

TEST_CASE("a closed form of the theory, typed by hand, has its values") {
  const Formula typed =
      parse_formula("x",
                    "((1 - 1/N)*((H(T-1) - 1)/(T-2) - 1/(T-1) - 2/T^2) + (1 - 2*(T - H(T-1) - 2/T)/(T-2))/(N*T) + "
                    "((H(T-1) - 1)/(T-2) - (T - H(T-1) - 2/T)/((T-2)*T))/N)/(N*T)",
                    sizes);
  const Formula right = step2_diag(Background::avoid, Handoff::ideal, Blocks::isolated);
  for (int N = 2; N <= 6; ++N)
    for (int T = 4; T <= 9; ++T)
      CHECK(typed.evaluate_exact({{"N", N}, {"T", T}}) == right.evaluate_exact({{"N", N}, {"T", T}}));
}

TEST_CASE("a refusal names the column, what was found and what was expected") {
  CHECK(refusal("") == "equals: got an empty text, expected a formula such as (N - 1)/(N^2*T)");
  CHECK(says(refusal("   "), "an empty text"));
  CHECK(says(refusal("N +"), "column 4: got the end, expected a number, a symbol, H(n) or '('"));
  CHECK(says(refusal("N T"), "column 3: got 'T', expected one of + - * / ^"));
  CHECK(says(refusal("2N"), "column 2: got 'N'"));
  CHECK(says(refusal("(N"), "column 3: got the end, expected one of + - * / ^ or ')'"));
  CHECK(says(refusal("N)"), "column 2: got ')'"));
  CHECK(says(refusal("H(T"), "or ')' or ','"));
  CHECK(says(refusal("H(T, 2, 3)"), "column 7: got ','"));
  CHECK(says(refusal("H"), "unknown symbol 'H'"));
  CHECK(says(refusal("n + 1"),
             "column 1: got unknown symbol 'n', expected one of N, T, t, s, H(n), H(n, m); did you mean 'N'?"));
  CHECK(says(refusal("N*Q"), "column 3: got unknown symbol 'Q'"));
  CHECK(says(refusal("h(T)"), "did you mean 'H'?"));
  CHECK(says(refusal("log(T)"), "H(n), which grows like log n"));
  CHECK(says(refusal("sqrt(T)"), "evaluated exactly"));
  CHECK(says(refusal("N^(1/2)"), "column 3: got the exponent 1/2, expected an integer"));
  CHECK(says(refusal("N**2"), "column 3: got '*', expected a factor; a power is written ^"));
  CHECK(says(refusal("1..2"), "column 1: got '1..2'"));
  CHECK(says(refusal("1."), "expected an integer, or a decimal such as 0.25"));
  CHECK(says(refusal("N \u2212 1"), "column 3: got '\u2212'"));
  CHECK(says(refusal("N \u2212 1"), "did you mean '-'?"));
  CHECK(says(refusal("N\xff"), "column 2: got '\\xff'"));
  CHECK(says(refusal(std::string("N\0+1", 4)), "column 2: got '\\x00'"));
  CHECK(says(refusal("PP[t,s]"), "column 3: got '['"));
}

TEST_CASE("absurd formulas are refused at once, in one line") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(says(refusal("N^1000000000"), "column 3: got the exponent 1000000000, expected one of at most 64 in magnitude"));
  CHECK(says(refusal("N^" + repeated(40, '9')), "expected one of at most 64"));
  CHECK(says(refusal("N^65"), "64"));
  CHECK(refusal("N^64").empty());
  CHECK(says(refusal("N^2^7"), "column 3: got the exponent 128"));
  CHECK(says(refusal("1/0"), "column 3: got a division by 0"));
  CHECK(says(refusal("0^-1"), "a division by 0"));
  CHECK(says(refusal("1/(2 - 2)"), "a division by 0"));
  CHECK(says(refusal(repeated(1000, '(') + "N" + repeated(1000, ')')), "column 21: got more than 20 nested brackets"));
  CHECK(says(refusal(repeated(10000, '(') + "N" + repeated(10000, ')')),
             "a formula of 20001 characters, expected at most 4000"));
  CHECK(says(refusal(repeated(3000, '-') + "N"), "nested brackets and signs"));
  CHECK(says(refusal("(((((2^64)^64)^64)^64)^64)"), "more than a million digits"));
  CHECK(says(refusal("((((N^64)^64)^64)^64)"), "more than a million digits"));
  CHECK(says(refusal("(N^T)^T"), "more than a million digits"));
  CHECK(says(refusal(repeated(41, '1')), "a number of 41 characters, expected at most 40"));
  std::string fraction = "N";
  for (int i = 0; i < 19; ++i) fraction = "1/(T - " + fraction + ")";
  CHECK(refusal(fraction).empty());
  std::string product = "N";
  for (int i = 0; i < 19; ++i) product = "-T*(N - " + product + ")";
  CHECK(refusal(product).empty());
  std::string many = "N";
  while (many.size() < 3900) many += " - T*N^2";
  CHECK(refusal(many).empty());
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 5);
}

TEST_CASE("a division by zero at one size is an error of evaluation, not of the text") {
  const Formula formula = parse_formula("equals", "1/(N-4)", sizes);
  CHECK(formula.evaluate_exact({{"N", 5}}) == 1);
  CHECK_THROWS_AS(formula.evaluate_exact({{"N", 4}}), HypothesisError);
  CHECK_THROWS_AS(parse_formula("equals", "H(N/2)", sizes).evaluate_exact({{"N", 3}}), HypothesisError);
  CHECK(parse_formula("equals", "H(N/2)", sizes).evaluate_exact({{"N", 4}}) == Rational(3, 2));
}
