// The corpus that the configuration names.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "core/bigram_counts.hpp"

namespace popgrad {

// Counts of `file`, which is a text, or a counts TSV made by popgrad corpus (known by its first line); the embedded counts
// if there is no file. InputError(argument, ...) as read_file, count_bigrams and parse_tsv.
BigramCounts load_corpus(const std::string& argument, const std::optional<std::filesystem::path>& file);

}  // namespace popgrad
