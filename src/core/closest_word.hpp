// "Did you mean ...": the word of a list that a mistyped word is nearest to.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

// Optimal string alignment distance, ignoring ASCII case: insertions, deletions, substitutions and exchanges of neighbours.
int edit_distance(const std::string& a, const std::string& b);

// The nearest candidate (the first of equals) within a third of the longer word's length, at least 1; empty if none is.
std::string closest_word(const std::string& word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" for that candidate, or an empty text.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace popgrad
