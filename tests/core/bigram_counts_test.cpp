#include "core/bigram_counts.hpp"

#include "core/errors.hpp"
#include "core/sha1.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

BigramCounts counts_of(const std::string& text) { return count_bigrams("FILE", text, "text.txt"); }

std::string refusal(const std::string& text) {
  try {
    counts_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the counts of 'abcab' counted by hand") {
  const BigramCounts c = counts_of("abcab");
  CHECK(c.N() == 3);
  CHECK(c.bytes == std::vector<unsigned char>{'a', 'b', 'c'});
  CHECK(c.unigram == std::vector<std::int64_t>{2, 2, 1});
  CHECK(c.bigram == std::vector<std::int64_t>{0, 2, 0, 0, 0, 1, 1, 0, 0});  // ab ab, bc, ca
  CHECK(c.characters() == 5);
  CHECK(c.pairs() == 4);
  CHECK(c.distinct_bigrams() == 3);
  CHECK(c.row_total(0) == 2);
  CHECK(c.row_total(1) == 1);  // b ends the text
  CHECK(c.unigram_probability(2) == 0.2);
  CHECK(c.bigram_probability(0, 1) == 1);
  CHECK(c.bigram_probability(1, 0) == 0);
  CHECK(c.bigram_probability(1, 2) == 1);  // not transposed: b is followed by c, c never by b
  CHECK(c.bigram_probability(2, 1) == 0);
}

TEST_CASE("a token that only ends the text has no successor: its bigram row is the unigram law") {
  const BigramCounts c = counts_of("aab");
  CHECK(c.row_total(1) == 0);
  CHECK(c.bigram_probability(1, 0) == c.unigram_probability(0));
  CHECK(c.bigram_probability(1, 1) == c.unigram_probability(1));
  CHECK(c.bigram_probability(0, 0) == 0.5);
}

TEST_CASE("bytes above 127 are tokens of their own, in the order of bytes") {
  const BigramCounts c = counts_of("z\xc3\xa9z");
  CHECK(c.bytes == std::vector<unsigned char>{'z', 0xa9, 0xc3});
  CHECK(c.bigram_probability(2, 1) == 1);
}

TEST_CASE("a text that defines no bigram law is refused with a reason") {
  CHECK(has(refusal(""), "(empty)"));
  CHECK(has(refusal("a"), "(one character long)"));
  CHECK(has(refusal("aaaa"), "(only the character 'a')"));
  CHECK(has(refusal(std::string("ab\0c", 4)), "\\x00 at byte 3"));
  CHECK(has(refusal("ab\x1b[0m"), "\\x1b at byte 3"));
  CHECK(has(refusal("ab\x7f"), "\\x7f at byte 3"));
  for (const char* text : {"", "a", "aaaa", "ab\x01"}) CHECK(has(refusal(text), "FILE: got 'text.txt'"));
}

TEST_CASE("tab, newline, carriage return and form feed are text") { CHECK(counts_of("\t\n\r\f").N() == 4); }

TEST_CASE("the smallest text has two different characters") {
  const BigramCounts c = counts_of("ba");
  CHECK(c.N() == 2);
  CHECK(c.pairs() == 1);
  CHECK(c.bigram_probability(1, 0) == 1);
}

TEST_CASE("the source is the file's name without its folder, its size and its digest, on one line") {
  // SHA-1 of "abc": FIPS 180-4, example 1.
  CHECK(sha1_hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(count_bigrams("FILE", "abc", "some/folder/x.txt").source ==
        "x.txt, 3 bytes, sha1 a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(count_bigrams("FILE", "abc", "x\ny").source.find('\n') == std::string::npos);
}

TEST_CASE("a token out of range is refused") {
  const BigramCounts c = counts_of("abcab");
  CHECK_THROWS_AS(c.unigram_probability(3), HypothesisError);
  CHECK_THROWS_AS(c.bigram_probability(0, -1), HypothesisError);
  CHECK_THROWS_AS(c.row_total(-1), HypothesisError);
}

// Counted from the text with `wc -c`, `sha1sum` and a dictionary of pairs, independently of popgrad.
TEST_CASE("the embedded default is Tiny Shakespeare: 65 characters, 1,115,394 of them, 1,403 bigrams") {
  const BigramCounts& c = default_counts();
  CHECK(c.N() == 65);
  CHECK(c.characters() == 1115394);
  CHECK(c.pairs() == 1115393);
  CHECK(c.distinct_bigrams() == 1403);
  CHECK(c.bytes.front() == '\n');
  CHECK(c.bytes.at(1) == ' ');
  CHECK(c.unigram.at(1) == 169892);
  CHECK(c.bytes.at(43) == 'e');
  CHECK(c.unigram.at(43) == 94611);
  CHECK(c.source == "tinyshakespeare.txt, 1115394 bytes, sha1 04486597058d11dcc2c556b1d0433891eb639d2e");
  CHECK(&default_counts() == &c);
}
