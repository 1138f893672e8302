// The corpus that the configuration names.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/config.hpp"
#include "core/bigram_counts.hpp"

namespace popgrad {

// Counts of `file`, which is a text, or a counts TSV made by popgrad corpus (known by its first line); the embedded counts
// if there is no file. InputError(argument, ...) as read_file, count_bigrams and parse_tsv.
BigramCounts load_corpus(const std::string& argument, const std::optional<std::filesystem::path>& file);

// In the bigram task N is the corpus'; InputError("data.vocab", ...) on a vocabulary asked for in vain, which is a mistake.
void require_vocabulary_is_used(const Config& config, const BigramCounts& corpus);

}  // namespace popgrad
