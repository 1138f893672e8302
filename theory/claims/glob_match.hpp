// Shell-style patterns for claim ids.
#pragma once
#include <string>

namespace popgrad {

// Whether `text` matches `pattern` as a whole: * stands for any run of characters, ? for one, everything else (brackets
// too) for itself. Time O(|pattern| |text|).
bool glob_match(const std::string& pattern, const std::string& text);

}  // namespace popgrad
