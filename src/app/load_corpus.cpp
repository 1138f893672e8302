#include "app/load_corpus.hpp"

#include "core/atomic_file.hpp"
#include "core/bigram_tsv.hpp"

namespace popgrad {

BigramCounts load_corpus(const std::string& argument, const std::optional<std::filesystem::path>& file) {
  if (!file) return default_counts();
  const std::string text = read_file(argument, *file);
  if (text.starts_with(bigram_tsv::format_line)) return parse_tsv(argument + " '" + file->string() + "'", text);
  return count_bigrams(argument, text, file->string());
}

}  // namespace popgrad
