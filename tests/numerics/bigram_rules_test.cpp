#include "numerics/bigram_rules.hpp"

#include <string>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

std::vector<int> letters(const std::string& text) {  // a = 0, b = 1, ...
  std::vector<int> tokens;
  for (const char c : text) tokens.push_back(c - 'a');
  return tokens;
}

// Loss positions counted from 1 and their targets, as "4b 6c".
std::string loss(const std::string& drawn, const std::string& triggers, LossKind kind = LossKind::head) {
  std::string text;
  for (const Target& target : loss_targets(letters(drawn), letters(triggers), kind))
    text += (text.empty() ? "" : " ") + std::to_string(target.position + 1) + static_cast<char>('a' + target.token);
  return text;
}

std::string cyclic(const std::string& triggers, const std::string& outputs) {
  std::string text;
  for (const bool flag : cyclic_triggers(letters(triggers), letters(outputs))) text += flag ? '1' : '0';
  return text;
}

}  // namespace

TEST_CASE("tokens 'abcab' with trigger a: one loss position, t = 4 with target b") {
  CHECK(loss("abcab", "a") == "4b");
  CHECK(loss("abcabd", "a") == "4b");  // b at t = 5 repeats but is no trigger
}

TEST_CASE("no repeated trigger: no loss position, and nothing goes wrong") {
  CHECK(loss("abcde", "a") == "");
  CHECK(loss("bcbcb", "a") == "");
  CHECK(loss("a", "a") == "");
}

TEST_CASE("every repetition of every trigger counts, each trigger by itself, the last token only as a target") {
  CHECK(loss("abababa", "a") == "3b 5b");
  CHECK(loss("abababa", "ab") == "3b 4a 5b 6a");
  CHECK(loss("abcdacbd", "ab") == "5c 7d");
  CHECK(loss("aaaa", "a") == "2a 3a");
}

TEST_CASE("the full loss has a target at every position: the next token") {
  CHECK(loss("abcab", "a", LossKind::full) == "1b 2c 3a 4b");
  CHECK(loss("abcab", "", LossKind::full) == "1b 2c 3a 4b");
}

TEST_CASE("cycles: an output equal to its trigger, two that exchange, a longer one, a path into a cycle is not on it") {
  CHECK(cyclic("a", "a") == "1");
  CHECK(cyclic("a", "b") == "0");
  CHECK(cyclic("ab", "ba") == "11");
  CHECK(cyclic("abc", "bca") == "111");
  CHECK(cyclic("abc", "bcd") == "000");
  CHECK(cyclic("abc", "bcb") == "011");  // a leads in and never comes back
  CHECK(cyclic("abcd", "bbdc") == "0111");
  CHECK(cyclic("abcde", "bcdea") == "11111");
  CHECK(cyclic("abcde", "bcdez") == "00000");
  CHECK(cyclic("", "") == "");
}

TEST_CASE("one output for each trigger, and at least one token, are required") {
  CHECK_THROWS_AS(cyclic_triggers({1, 2}, {1}), HypothesisError);
  CHECK_THROWS_AS(loss_targets({}, {0}, LossKind::head), HypothesisError);
}
