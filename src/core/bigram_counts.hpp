// Unigram and bigram counts of a text, and the two laws they define.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace popgrad {

// Tokens are the distinct bytes of the text in increasing order. N = bytes.size() >= 2.
struct BigramCounts {
  std::vector<unsigned char> bytes;     // token -> byte
  std::vector<std::int64_t> unigram;    // N
  std::vector<std::int64_t> bigram;     // N x N, row-major: bigram[z * N + k] counts k right after z
  std::string source;                   // file name and digest, as in the header of the TSV

  int N() const { return static_cast<int>(bytes.size()); }
  std::int64_t characters() const;      // sum of unigram
  std::int64_t pairs() const;           // sum of bigram = characters - 1
  std::int64_t distinct_bigrams() const;
  std::int64_t row_total(int z) const;  // times z has a successor
  double unigram_probability(int z) const;        // pi_u
  double bigram_probability(int z, int k) const;  // pi_b(k|z); the row of a token without a successor is pi_u
};

// Counts a text. Throws InputError(argument, ...) if it is empty, one character long, made of one character only, or
// binary (contains a NUL byte or a control byte other than tab, newline, carriage return, form feed).
BigramCounts count_bigrams(const std::string& argument, const std::string& text, const std::string& source);

// TSV with provenance in '#' lines; format in docs/formats.md.
std::string to_tsv(const BigramCounts& counts);
BigramCounts parse_tsv(const std::string& argument, const std::string& text);  // throws InputError naming the line

// The counts that ship with popgrad: built into the program from data/tiny_shakespeare.counts.tsv.
const BigramCounts& default_counts();

}  // namespace popgrad
