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

// Positions counted from 1 at which copying is possible, and their targets, as "4b 6c". What triggers are followed by does not matter.
std::string heads(const std::string& drawn, const std::string& triggers) {
  std::string text;
  std::vector<Target> found;
  find_heads(letters(drawn), TriggerOutputs(letters(triggers), letters(triggers)), found);
  for (const Target& target : found)
    text += (text.empty() ? "" : " ") + std::to_string(target.position + 1) + static_cast<char>('a' + target.token);
  return text;
}

std::string cyclic(const std::string& triggers, const std::string& outputs) {
  std::string text;
  const CyclicTokens tokens = cyclic_tokens(letters(triggers), TriggerOutputs(letters(triggers), letters(outputs)));
  for (const char q : triggers) text += tokens.on[static_cast<std::size_t>(q - 'a')] ? '1' : '0';
  CHECK(tokens.any == (text.find('1') != std::string::npos));
  return text;
}

}  // namespace

TEST_CASE("tokens 'abcab' with trigger a: one loss position, t = 4 with target b") {
  CHECK(heads("abcab", "a") == "4b");
  CHECK(heads("abcabd", "a") == "4b");  // b at t = 5 repeats but is no trigger
}

TEST_CASE("no repeated trigger: no loss position, and nothing goes wrong") {
  CHECK(heads("abcde", "a") == "");
  CHECK(heads("bcbcb", "a") == "");
  CHECK(heads("a", "a") == "");
}

TEST_CASE("every repetition of every trigger counts, each trigger by itself, the last token only as a target") {
  CHECK(heads("abababa", "a") == "3b 5b");
  CHECK(heads("abababa", "ab") == "3b 4a 5b 6a");
  CHECK(heads("abcdacbd", "ab") == "5c 7d");
  CHECK(heads("aaaa", "a") == "2a 3a");
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

TEST_CASE("one output for each trigger, distinct triggers, tokens that are bytes, and at least one token, are required") {
  CHECK_THROWS_AS(TriggerOutputs({1, 2}, {1}), HypothesisError);
  CHECK_THROWS_AS(TriggerOutputs({1, 1}, {1, 2}), HypothesisError);
  CHECK_THROWS_AS(TriggerOutputs({256}, {1}), HypothesisError);
  CHECK_THROWS_AS(TriggerOutputs({1}, {-1}), HypothesisError);
  std::vector<Target> found;
  CHECK_THROWS_AS(find_heads({}, TriggerOutputs(), found), HypothesisError);
}
