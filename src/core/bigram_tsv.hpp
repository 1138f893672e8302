// What the writer and the reader of counts files agree on.
#pragma once

namespace popgrad::bigram_tsv {

// The file: these header lines in this order, the column names, one row for each token, one for each bigram that occurs.
inline constexpr const char* format_line = "# popgrad bigram counts, format 1";
inline constexpr const char* source_field = "# source: ";  // file name, size in bytes, SHA-1 of the text
inline constexpr const char* vocabulary_field = "# N: ";
inline constexpr const char* characters_field = "# characters: ";
inline constexpr const char* distinct_field = "# distinct bigrams: ";
inline constexpr const char* maker_field = "# made by: ";
inline constexpr const char* rows_line =
    "# rows: unigram, token, its character (escaped), count; then bigram, token, the token right after it, count";
inline constexpr const char* columns_line = "kind\ttoken\tcharacter_or_next\tcount";
inline constexpr const char* unigram_kind = "unigram";
inline constexpr const char* bigram_kind = "bigram";

}  // namespace popgrad::bigram_tsv
