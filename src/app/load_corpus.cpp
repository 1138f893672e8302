#include "app/load_corpus.hpp"

#include "core/atomic_file.hpp"
#include "core/bigram_tsv.hpp"
#include "core/errors.hpp"

namespace popgrad {

BigramCounts load_corpus(const std::string& argument, const std::optional<std::filesystem::path>& file) {
  if (!file) return default_counts();
  const std::string text = read_file(argument, *file);
  if (text.starts_with(bigram_tsv::format_line)) return parse_tsv(argument + " '" + file->string() + "'", text);
  return count_bigrams(argument, text, file->string());
}

void require_vocabulary_is_used(const Config& config, const BigramCounts& corpus) {
  if (config.train.task != TaskKind::bigram || !config.N || *config.N == corpus.N()) return;
  throw InputError("data.vocab", std::to_string(*config.N),
                   "no value in the bigram task, whose N is that of the corpus, " + std::to_string(corpus.N()) +
                       " (data.task=minimal has its own N)");
}

}  // namespace popgrad
