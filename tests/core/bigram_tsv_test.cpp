#include <algorithm>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/bigram_counts.hpp"
#include "core/byte_text.hpp"
#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

BigramCounts counts_of(const std::string& text) { return count_bigrams("FILE", text, "text.txt"); }

bool equal(const BigramCounts& a, const BigramCounts& b) {
  return a.bytes == b.bytes && a.unigram == b.unigram && a.bigram == b.bigram && a.source == b.source;
}

// The refusal of a file, or "accepted".
std::string refusal(const std::string& tsv) {
  try {
    parse_tsv("corpus", tsv);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The lines of the file of "abcab" (a b c; ab 2, bc 1, ca 1), numbered from 1:
//  1 format  2 source  3 N  4 characters  5 distinct  6 maker  7 rows  8 columns
//  9 unigram a 2  10 unigram b 2  11 unigram c 1  12 bigram 0 1 2  13 bigram 1 2 1  14 bigram 2 0 1
std::vector<std::string> lines() {
  std::istringstream in(to_tsv(counts_of("abcab")));
  std::vector<std::string> all(1);  // line 0 does not exist
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::string join(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 1; i < all.size(); ++i) text += all[i] + "\n";
  return text;
}

std::string with(std::size_t line, const std::string& text) {
  auto all = lines();
  all.at(line) = text;
  return refusal(join(all));
}

bool names_line(const std::string& message, int line) {
  return message.starts_with("corpus, line " + std::to_string(line) + ": got ");
}

}  // namespace

TEST_CASE("counts written and read again are the same counts, and the file is the same file") {
  for (const char* text : {"abcab", "ba", "aab", "a\\b#\"'c \t\r\n\f.", "z\xc3\xa9z\xff"}) {
    const BigramCounts counts = counts_of(text);
    const std::string tsv = to_tsv(counts);
    const BigramCounts again = parse_tsv("corpus", tsv);
    CHECK(equal(again, counts));
    CHECK(to_tsv(again) == tsv);
  }
}

TEST_CASE("the file of 'abcab', line by line") {
  const auto all = lines();
  REQUIRE(all.size() == 15);
  CHECK(all[1] == "# popgrad bigram counts, format 1");
  CHECK(all[2] == "# source: " + counts_of("abcab").source);
  CHECK(all[3] == "# N: 3");
  CHECK(all[4] == "# characters: 5");
  CHECK(all[5] == "# distinct bigrams: 3");
  CHECK(all[8] == "kind\ttoken\tcharacter_or_next\tcount");
  CHECK(all[9] == "unigram\t0\ta\t2");
  CHECK(all[11] == "unigram\t2\tc\t1");
  CHECK(all[12] == "bigram\t0\t1\t2");
  CHECK(all[14] == "bigram\t2\t0\t1");
  // A table for any reader: as many cells in every row as there are column names, and nothing but '#' lines above them.
  for (std::size_t i = 1; i < all.size(); ++i)
    CHECK((i < 8 ? all[i].starts_with("# ") : std::ranges::count(all[i], '\t') == 3));
}

TEST_CASE("a tampered header is refused at its line") {
  CHECK(names_line(with(1, "# popgrad bigram counts, format 2"), 1));
  CHECK(names_line(with(2, "# source: text.txt"), 2));
  CHECK(names_line(with(2, "# source: text.txt, 5 bytes, sha1 123"), 2));
  CHECK(names_line(with(3, "# N: 1"), 3));
  CHECK(names_line(with(3, "# N: 257"), 3));
  CHECK(names_line(with(3, "# N: three"), 3));
  CHECK(names_line(with(3, "# N: "), 3));
  CHECK(names_line(with(4, "# characters: 4"), 4));
  CHECK(names_line(with(4, "# characters: 6"), 4));
  CHECK(names_line(with(4, "# characters: 99999999999999999999"), 4));
  CHECK(names_line(with(5, "# distinct bigrams: 10"), 5));
  CHECK(names_line(with(6, "made by hand"), 6));
  CHECK(names_line(with(7, ""), 7));
  CHECK(names_line(with(8, "kind token next count"), 8));
}

TEST_CASE("a header that disagrees with the rows is refused") {
  CHECK(names_line(with(3, "# N: 2"), 10));  // the unigram rows do not reach the number of characters
  CHECK(names_line(with(3, "# N: 4"), 12));  // a bigram where the fourth token should be
  CHECK(names_line(with(5, "# distinct bigrams: 2"), 14));
  CHECK(names_line(with(5, "# distinct bigrams: 4"), 14));
}

TEST_CASE("a tampered row is refused at its line") {
  CHECK(names_line(with(9, "unigram\t0\ta\t3"), 11));  // sum is no longer 5: known after the last unigram row
  CHECK(names_line(with(9, "unigram\t0\ta\t0"), 9));
  CHECK(names_line(with(9, "unigram\t0\ta\t-2"), 9));
  CHECK(names_line(with(9, "unigram\t0\ta\t02"), 9));
  CHECK(names_line(with(9, "unigram\t0\ta\t2.0"), 9));
  CHECK(names_line(with(9, "unigram\t0\ta\t2 "), 9));
  CHECK(names_line(with(9, "unigram\t0\ta\t2\r"), 9));
  CHECK(names_line(with(9, "unigram\t0\ta\t2\t"), 9));
  CHECK(names_line(with(9, "unigram\t0\ta"), 9));
  CHECK(names_line(with(9, "unigram\t1\ta\t2"), 9));
  CHECK(names_line(with(9, "unigram\t0\tab\t2"), 9));
  CHECK(names_line(with(9, "unigram\t0\t\t2"), 9));
  CHECK(names_line(with(9, "unigram\t0\t\\x00\t2"), 9));
  CHECK(names_line(with(10, "unigram\t1\ta\t2"), 10));  // the same character twice
  CHECK(names_line(with(12, "bigram\t0\t1\t1"), 14));   // one pair is missing
  CHECK(names_line(with(12, "bigram\t0\t1\t3"), 12));   // a is followed more often than it occurs
  CHECK(names_line(with(12, "bigram\t0\t2\t2"), 12));   // c is preceded more often than it occurs
  CHECK(names_line(with(12, "bigram\t0\t3\t2"), 12));
  CHECK(names_line(with(12, "bigram\t-1\t1\t2"), 12));
  CHECK(names_line(with(13, "bigram\t0\t1\t1"), 13));  // the same bigram twice
  CHECK(names_line(with(13, "bigram\t0\t0\t1"), 13));  // out of order
  CHECK(names_line(with(13, "# a comment"), 13));
  CHECK(names_line(with(13, ""), 13));
}

TEST_CASE("rows that break one rule only are refused for that rule") {
  const auto says = [](const std::string& message, const std::string& rule) {
    return message.find(rule) != std::string::npos;
  };
  CHECK(says(with(14, "bigram\t2\t0\t2"), "no more bigrams from token 2 than it occurs"));
  CHECK(says(with(12, "bigram\t0\t2\t2"), "no more bigrams to token 2 than it occurs"));
  CHECK(says(with(13, "bigram\t0\t1\t1"), "each once"));
  CHECK(says(with(12, "bigram\t0\t1\t1"), "4, the number of characters - 1"));
}

TEST_CASE("a file that is cut off or continued is refused") {
  const std::string whole = to_tsv(counts_of("abcab"));
  REQUIRE(refusal(whole) == "accepted");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO("length " << length);
    CHECK(refusal(whole.substr(0, length)) != "accepted");
  }
  CHECK(names_line(refusal(whole + "bigram\t2\t1\t1\n"), 15));
  CHECK(names_line(refusal(whole + "\n"), 15));
  CHECK(names_line(refusal(""), 1));
  CHECK(names_line(refusal("First Citizen:\nBefore we proceed any further, hear me speak.\n"), 1));
}

TEST_CASE("a refusal is one line, whatever the file contains") {
  const std::string message = refusal(std::string("\x01\x02\r\x00 junk", 9).append(500, 'x').append(1, '\n'));
  CHECK(std::ranges::none_of(message, [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
  CHECK(message.size() < 250);
}

TEST_CASE("every byte has its own escape, printable, without blanks, and reads back as itself") {
  std::vector<std::string> all;
  for (int b = 0; b < 256; ++b) {
    const auto byte = static_cast<unsigned char>(b);
    const std::string text = escape_byte(byte);
    CHECK(unescape_byte(text) == byte);
    CHECK(std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != '\'' && c != '#'; }));
    all.push_back(text);
  }
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  for (const char* bad : {"", "\\", "\\x", "\\x0", "\\xZZ", "\\x61", "aa", " "}) CHECK_FALSE(unescape_byte(bad));
}

TEST_CASE("the data file of the repository is the embedded default, written by to_tsv") {
  const std::string file = read_file("FILE", POPGRAD_SOURCE_DIR "/data/tiny_shakespeare.counts.tsv");
  CHECK(equal(parse_tsv("FILE", file), default_counts()));
  // The line that names the version of popgrad stays what it was when the file was made.
  const auto without_maker = [](const std::string& text) {
    const auto begin = text.find("# made by: ");
    return text.substr(0, begin) + text.substr(text.find('\n', begin));
  };
  CHECK(without_maker(to_tsv(default_counts())) == without_maker(file));
}
