#include "core/bigram_counts.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/byte_text.hpp"
#include "core/errors.hpp"
#include "core/sha1.hpp"

namespace popgrad {
namespace {

std::size_t cell(int N, int z, int k) {
  return static_cast<std::size_t>(z) * static_cast<std::size_t>(N) + static_cast<std::size_t>(k);
}

void require_token(const BigramCounts& counts, int z, const char* function, const char* argument) {
  require(0 <= z && z < counts.N(), function, argument, "in 0.." + std::to_string(counts.N() - 1), std::to_string(z));
}

// Only the name: a folder says where a file lay on one computer, and would make the counts differ between computers.
std::string describe_source(const std::string& source, const std::string& text) {
  return one_line(std::filesystem::path(source).filename().string(), 255) + ", " + std::to_string(text.size()) +
         " bytes, sha1 " + sha1_hex(text);
}

}  // namespace

std::int64_t BigramCounts::characters() const { return std::accumulate(unigram.begin(), unigram.end(), std::int64_t{0}); }
std::int64_t BigramCounts::pairs() const { return std::accumulate(bigram.begin(), bigram.end(), std::int64_t{0}); }

std::int64_t BigramCounts::distinct_bigrams() const {
  return std::ranges::count_if(bigram, [](std::int64_t n) { return n > 0; });
}

std::int64_t BigramCounts::row_total(int z) const {
  require_token(*this, z, "BigramCounts::row_total", "z");
  std::int64_t total = 0;
  for (int k = 0; k < N(); ++k) total += bigram[cell(N(), z, k)];
  return total;
}

double BigramCounts::unigram_probability(int z) const {
  require_token(*this, z, "BigramCounts::unigram_probability", "z");
  return static_cast<double>(unigram[static_cast<std::size_t>(z)]) / static_cast<double>(characters());
}

double BigramCounts::bigram_probability(int z, int k) const {
  require_token(*this, k, "BigramCounts::bigram_probability", "k");
  const std::int64_t total = row_total(z);
  if (total == 0) return unigram_probability(k);
  return static_cast<double>(bigram[cell(N(), z, k)]) / static_cast<double>(total);
}

BigramCounts count_bigrams(const std::string& argument, const std::string& text, const std::string& source) {
  const std::string expected = "a text of at least two different characters";
  const std::string shown = quoted(source, 255);
  if (text.empty()) throw InputError(argument, shown + " (empty)", expected);
  if (text.size() == 1) throw InputError(argument, shown + " (one character long)", expected);
  std::array<std::int64_t, 256> occurrences{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (is_binary(byte))
      throw InputError(argument, shown + " (binary: " + escape_byte(byte) + " at byte " + std::to_string(i + 1) + ")",
                       "a text without control characters other than tab, newline, carriage return and form feed");
    ++occurrences[byte];
  }

  BigramCounts counts;
  std::array<int, 256> token{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (occurrences[byte] == 0) continue;
    token[byte] = counts.N();
    counts.bytes.push_back(static_cast<unsigned char>(byte));
    counts.unigram.push_back(occurrences[byte]);
  }
  if (counts.N() < 2)
    throw InputError(argument, shown + " (only the character '" + escape_byte(counts.bytes[0]) + "')", expected);

  const int N = counts.N();
  counts.bigram.assign(cell(N, N, 0), 0);
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    ++counts.bigram[cell(N, token[static_cast<unsigned char>(text[i])], token[static_cast<unsigned char>(text[i + 1])])];
  counts.source = describe_source(source, text);
  return counts;
}

}  // namespace popgrad
