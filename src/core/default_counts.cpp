#include "core/default_counts.hpp"

#include "core/bigram_counts.hpp"

namespace popgrad {

const BigramCounts& default_counts() {
  static const BigramCounts counts = parse_tsv("the embedded counts", std::string(embedded_default_counts()));
  return counts;
}

}  // namespace popgrad
