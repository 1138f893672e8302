// The text of data/tiny_shakespeare.counts.tsv, compiled into the program.
#pragma once
#include <string_view>

namespace popgrad {

// Defined by a source file that the build makes from the data file (cmake/embed.cmake).
std::string_view embedded_default_counts();

}  // namespace popgrad
