#include "core/bigram_counts.hpp"
#include "core/bigram_tsv.hpp"
#include "core/byte_text.hpp"
#include "core/revision.hpp"

namespace popgrad {

// Nothing but the counts, their source and the version of popgrad: no date, no folder, so that equal texts give equal files.
std::string to_tsv(const BigramCounts& counts) {
  using namespace bigram_tsv;
  const std::string N = std::to_string(counts.N());
  std::string tsv = std::string(format_line) + "\n";
  tsv += source_field + counts.source + "\n";
  tsv += vocabulary_field + N + "\n";
  tsv += characters_field + std::to_string(counts.characters()) + "\n";
  tsv += distinct_field + std::to_string(counts.distinct_bigrams()) + "\n";
  tsv += std::string(maker_field) + "popgrad corpus, version " + version() + "\n";
  tsv += std::string(rows_line) + "\n" + columns_line + "\n";
  for (std::size_t z = 0; z < counts.bytes.size(); ++z)
    tsv += std::string(unigram_kind) + "\t" + std::to_string(z) + "\t" + escape_byte(counts.bytes[z]) + "\t" +
           std::to_string(counts.unigram[z]) + "\n";
  for (std::size_t i = 0; i < counts.bigram.size(); ++i)
    if (counts.bigram[i] != 0)
      tsv += std::string(bigram_kind) + "\t" + std::to_string(i / counts.bytes.size()) + "\t" +
             std::to_string(i % counts.bytes.size()) + "\t" + std::to_string(counts.bigram[i]) + "\n";
  return tsv;
}

}  // namespace popgrad
