#include <charconv>
#include <optional>
#include <string_view>

#include "core/bigram_counts.hpp"
#include "core/bigram_tsv.hpp"
#include "core/byte_text.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

using namespace bigram_tsv;

// A canonical decimal (no sign, no leading zero) of at most 15 digits: exact as a double, and two of them never overflow.
std::optional<std::int64_t> parse_count(std::string_view text) {
  if (text.empty() || text.size() > 15 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// "NAME, SIZE bytes, sha1 HEX": the size, or nothing if the line has another form.
std::optional<std::int64_t> source_size(std::string_view source) {
  constexpr std::string_view before_digest = " bytes, sha1 ";
  const auto digest = source.rfind(before_digest);
  if (digest == std::string_view::npos) return std::nullopt;
  const std::string_view hex = source.substr(digest + before_digest.size());
  if (hex.size() != 40 || hex.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  const std::string_view name_and_size = source.substr(0, digest);
  const auto comma = name_and_size.rfind(", ");
  if (comma == std::string_view::npos || comma == 0) return std::nullopt;
  return parse_count(name_and_size.substr(comma + 2));
}

class Reader {
 public:
  Reader(const std::string& argument, std::string_view text) : argument_(argument), rest_(text) {}

  BigramCounts read() {
    read_header();
    for (int z = 0; z < N_; ++z) read_unigram(z);
    const std::int64_t characters = counts_.characters();
    if (characters != characters_)
      fail("unigram counts with sum " + std::to_string(characters),
           std::to_string(characters_) + ", the number of characters");
    while (!rest_.empty()) read_bigram();
    if (distinct_ != expected_distinct_)
      fail(std::to_string(distinct_) + " bigram rows",
           std::to_string(expected_distinct_) + ", the number of distinct bigrams");
    // No row and no column exceeds its token's count (checked line by line). So when the sum is one less than the number of
    // characters, every row is complete but the last character's, and every column but the first character's.
    if (pairs_ != characters_ - 1)
      fail("bigram counts with sum " + std::to_string(pairs_),
           std::to_string(characters_ - 1) + ", the number of characters - 1");
    return std::move(counts_);
  }

 private:
  [[noreturn]] void fail(const std::string& got, const std::string& expected) const {
    throw InputError(argument_ + ", line " + std::to_string(line_number_), got, expected);
  }
  [[noreturn]] void fail_line(const std::string& expected) const { fail(quoted(line_), expected); }

  void next_line(const std::string& expected) {
    ++line_number_;
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos) {
      line_ = rest_;
      if (line_.empty()) fail("the end of the file", expected);
      fail_line("a line that ends with a newline (is the file cut off?)");
    }
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
  }

  void exact_line(const char* line) {
    const std::string expected = quoted(line, 120);
    next_line(expected);
    if (line_ != line) fail_line(expected);
  }

  std::string_view field(const std::string& key) {
    const std::string expected = "a header line '" + key + "...'";
    next_line(expected);
    if (!line_.starts_with(key) || line_.size() == key.size()) fail_line(expected);
    return line_.substr(key.size());
  }

  std::int64_t number_field(const std::string& key, std::int64_t least, std::int64_t most) {
    const auto value = parse_count(field(key));
    if (!value || *value < least || *value > most)
      fail_line("a whole number between " + std::to_string(least) + " and " + std::to_string(most));
    return *value;
  }

  void read_header() {
    exact_line(format_line);
    counts_.source = field(source_field);
    const auto size = source_size(counts_.source);
    if (!size) fail_line("'FILE, SIZE bytes, sha1 DIGEST'");
    N_ = static_cast<int>(number_field(vocabulary_field, 2, 256));
    characters_ = number_field(characters_field, N_, *size);
    if (characters_ != *size) fail_line(std::to_string(*size) + ", the size of the source");
    expected_distinct_ = number_field(distinct_field, N_ - 1, std::int64_t{N_} * N_);
    field(maker_field);
    exact_line(rows_line);
    exact_line(columns_line);
    counts_.bigram.assign(static_cast<std::size_t>(N_) * static_cast<std::size_t>(N_), 0);
    row_left_.reserve(static_cast<std::size_t>(N_));
  }

  // Splits the line into its four cells, checks the kind, and returns the count (positive, at most the characters).
  std::int64_t read_row(const char* kind) {
    const std::string expected = std::string("a row '") + kind + "<TAB>token<TAB>...<TAB>count'";
    next_line(expected);
    std::string_view left = line_;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto tab = left.find('\t');
      if (tab == std::string_view::npos) fail_line(expected);
      cells_[i] = left.substr(0, tab);
      left.remove_prefix(tab + 1);
    }
    if (cells_[0] != kind) fail_line(expected);
    const auto count = parse_count(left);
    if (!count || *count < 1 || *count > characters_)
      fail_line("a count between 1 and " + std::to_string(characters_) + " in the last column");
    return *count;
  }

  std::size_t read_token(std::string_view text, const char* which) const {
    const auto token = parse_count(text);
    if (!token || *token >= N_) fail_line(std::string(which) + " between 0 and " + std::to_string(N_ - 1));
    return static_cast<std::size_t>(*token);
  }

  void read_unigram(int z) {
    const std::int64_t count = read_row(unigram_kind);
    if (read_token(cells_[1], "a token") != static_cast<std::size_t>(z)) fail_line("token " + std::to_string(z));
    const auto byte = unescape_byte(cells_[2]);
    if (!byte || is_binary(*byte)) fail_line("one character of a text, escaped");
    if (!counts_.bytes.empty() && counts_.bytes.back() >= *byte) fail_line("characters in increasing order of their bytes");
    counts_.bytes.push_back(*byte);
    counts_.unigram.push_back(count);
    row_left_.push_back(count);
    column_left_.push_back(count);
  }

  void read_bigram() {
    const std::int64_t count = read_row(bigram_kind);
    const std::size_t z = read_token(cells_[1], "a token");
    const std::size_t k = read_token(cells_[2], "a next token");
    const std::size_t cell = z * static_cast<std::size_t>(N_) + k;
    if (cell < first_free_) fail_line("bigrams in increasing order, each once");
    first_free_ = cell + 1;
    if ((row_left_[z] -= count) < 0) fail_line("no more bigrams from token " + std::to_string(z) + " than it occurs");
    if ((column_left_[k] -= count) < 0) fail_line("no more bigrams to token " + std::to_string(k) + " than it occurs");
    counts_.bigram[cell] = count;
    pairs_ += count;
    ++distinct_;
  }

  std::string argument_;
  std::string_view rest_;
  std::string_view line_;
  int line_number_ = 0;
  std::string_view cells_[3];
  BigramCounts counts_;
  int N_ = 0;
  std::int64_t characters_ = 0, expected_distinct_ = 0, distinct_ = 0, pairs_ = 0;
  std::size_t first_free_ = 0;                        // smallest cell of the N x N table that the next row may fill
  std::vector<std::int64_t> row_left_, column_left_;  // N each: occurrences not yet used as first and as second of a bigram
};

}  // namespace

BigramCounts parse_tsv(const std::string& argument, const std::string& text) { return Reader(argument, text).read(); }

}  // namespace popgrad
